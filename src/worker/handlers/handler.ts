import type { ParamsOf, RequestName, ResultOf } from '../../protocol/requests.ts';
import type { Context } from '../context.ts';
import type { Exchange } from '../exchange.ts';

/** Answers one kind of request. A thrown `CavemanError` reaches the client as it is. */
export type Handler<N extends RequestName> = (
  params: ParamsOf<N>,
  context: Context,
  exchange: Exchange,
) => Promise<ResultOf<N>>;
