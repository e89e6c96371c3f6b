import type { Handler } from './handler.ts';

/** The daemon stops in a moment: the answer goes out first. */
export const stop: Handler<'stop'> = async (_params, context) => {
  const { pid } = await context.daemon.askStatus();
  setTimeout(() => context.daemon.send({ type: 'askStop' }), 0);
  return { pid };
};
