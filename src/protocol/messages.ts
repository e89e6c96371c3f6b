import * as v from 'valibot';
import { CavemanError, ERROR_CODES } from './errors.ts';
import { type ParamsOf, REQUESTS, type RequestName } from './requests.ts';
import { PROTOCOL_VERSION, VERSION } from './version.ts';

/** Request ids are chosen by the client, unique among its running requests, from 1 (0 is the connection itself). */
const id = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(0xffff_ffff));
const anyId = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(0xffff_ffff));
const creditBytes = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(0xffff_ffff));

const Hello = v.object({
  type: v.literal('hello'),
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
  build: v.pipe(v.string(), v.maxLength(100)),
  capabilities: v.pipe(v.array(v.pipe(v.string(), v.maxLength(100))), v.maxLength(200)),
});
/** Allows the other end to send this many more bytes of frame payload for the request. */
const Credit = v.strictObject({ type: v.literal('credit'), id, bytes: creditBytes });
const Cancel = v.strictObject({ type: v.literal('cancel'), id });
const Result = v.object({ type: v.literal('result'), id, result: v.unknown() });
const Failure = v.object({
  type: v.literal('error'),
  id: anyId,
  error: v.object({
    code: v.picklist(ERROR_CODES),
    message: v.string(),
    suggestions: v.array(v.string()),
  }),
});

export type Hello = v.InferOutput<typeof Hello>;
export type Credit = v.InferOutput<typeof Credit>;
export type Cancel = v.InferOutput<typeof Cancel>;
export type Request = { [N in RequestName]: { type: N; id: number; params: ParamsOf<N> } }[RequestName];
export type ClientMessage = Hello | Credit | Cancel | Request;
export type ServerMessage = Hello | Credit | v.InferOutput<typeof Result> | v.InferOutput<typeof Failure>;

const requests = Object.entries(REQUESTS).map(([name, { params }]) =>
  v.strictObject({ type: v.literal(name), id, params }),
);
const ClientMessageSchema = v.variant('type', [Hello, Credit, Cancel, ...requests]);
const ServerMessageSchema = v.variant('type', [Hello, Credit, Result, Failure]);

/** A message that could not be read: `id` is that of the request it tried to be, 0 when it had none. */
export class UnreadableMessage extends CavemanError {
  readonly id: number;
  constructor(id: number, error: CavemanError) {
    super(error.code, error.message);
    this.id = id;
  }
}

export function parseClientMessage(text: string): ClientMessage {
  return parse(ClientMessageSchema, text, 'restart the daemon: caveman daemon restart') as ClientMessage;
}

export function parseServerMessage(text: string): ServerMessage {
  return parse(ServerMessageSchema, text, 'this caveman is too old for the running daemon: reinstall it');
}

function parse<S extends v.GenericSchema>(schema: S, text: string, ifUnknown: string): v.InferOutput<S> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new UnreadableMessage(0, new CavemanError('bad-request', 'the message is not JSON'));
  }
  const result = v.safeParse(schema, json);
  if (result.success) return result.output;
  const fields = (typeof json === 'object' && json !== null ? json : {}) as Record<string, unknown>;
  const about = v.is(id, fields['id']) ? fields['id'] : 0;
  const issue = result.issues[0];
  const where = v.getDotPath(issue) ?? '';
  const unknownType = where === 'type' && typeof fields['type'] === 'string';
  throw new UnreadableMessage(
    about,
    unknownType
      ? new CavemanError(
          'version-mismatch',
          `unknown message ${JSON.stringify(fields['type'])}; ${ifUnknown}`,
        )
      : new CavemanError('bad-request', `${where || 'message'}: ${issue.message}`.slice(0, 300)),
  );
}

/** Our own greeting; the capabilities are the requests that this build knows. */
export function hello(): Hello {
  return { type: 'hello', version: PROTOCOL_VERSION, build: VERSION, capabilities: Object.keys(REQUESTS) };
}
