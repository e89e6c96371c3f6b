import type { Request } from '../../protocol/messages.ts';
import type { RequestName, ResultOf } from '../../protocol/requests.ts';
import type { Context } from '../context.ts';
import type { Exchange } from '../exchange.ts';
import { expand } from './expand.ts';
import { forget } from './forget.ts';
import { gc } from './gc.ts';
import type { Handler } from './handler.ts';
import { list } from './list.ts';
import { pin } from './pin.ts';
import { put } from './put.ts';
import { show } from './show.ts';
import { status } from './status.ts';
import { stop } from './stop.ts';

const HANDLERS: { [N in RequestName]: Handler<N> } = {
  list,
  show,
  expand,
  put,
  pin,
  forget,
  gc,
  status,
  stop,
};

/** Runs one request, its params already checked. */
export function handle(
  request: Request,
  context: Context,
  exchange: Exchange,
): Promise<ResultOf<RequestName>> {
  const handler = HANDLERS[request.type] as Handler<RequestName>;
  return handler(request.params, context, exchange);
}
