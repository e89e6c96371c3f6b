import type { Handler } from './handler.ts';

export const forget: Handler<'forget'> = async (params, context) => {
  const archive = context.archive();
  const handle = archive.resolve(params.handle, { prefix: true });
  return { handle, ...(await archive.forget(handle)) };
};
