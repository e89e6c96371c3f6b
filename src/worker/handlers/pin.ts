import type { Handler } from './handler.ts';

export const pin: Handler<'pin'> = async (params, context) => {
  const archive = context.archive();
  const handle = archive.resolve(params.handle, { prefix: true });
  await archive.pin(handle, params.pinned);
  return { handle, pinned: params.pinned };
};
