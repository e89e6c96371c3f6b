import { captureRow } from '../capture-row.ts';
import type { Handler } from './handler.ts';

const DEFAULT_LIMIT = 20;
/** `list` is for finding a capture; `show` gives the whole command. */
const MAX_COMMAND_CHARACTERS = 400;

export const list: Handler<'list'> = async (params, { archive }) => {
  const captures = archive().list({
    limit: params.limit ?? DEFAULT_LIMIT,
    ...(params.session === undefined ? {} : { session: params.session }),
  });
  return { captures: captures.map((capture) => captureRow(capture, MAX_COMMAND_CHARACTERS)) };
};
