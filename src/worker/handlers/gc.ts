import type { Handler } from './handler.ts';

export const gc: Handler<'gc'> = async (_params, context) => context.archive().gc(Date.now());
