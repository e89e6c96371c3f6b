import * as v from 'valibot';
import { STREAM_NAMES } from './capture.ts';

/**
 * The requests of `caveman.v1`: one entry each, `params` checked at both ends, `result` as documented in
 * docs/protocol.md. A new request is one entry here and one file in `src/worker/handlers/`.
 */
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const positive = v.pipe(v.number(), v.integer(), v.minValue(1));
const handle = v.pipe(v.string(), v.minLength(1), v.maxLength(64));

/** Which part of a capture `expand` gives. Lines are those of the cleaned text, from 1. */
export const SelectionSchema = v.strictObject({
  stream: v.optional(v.picklist(STREAM_NAMES)),
  lines: v.optional(v.tuple([positive, positive])),
  head: v.optional(count),
  tail: v.optional(count),
  grep: v.optional(v.pipe(v.string(), v.maxLength(1000))),
  context: v.optional(v.pipe(count, v.maxValue(1000))),
  gap: v.optional(positive),
  /** The projection as it was shown. */
  view: v.optional(v.boolean()),
  /** Show control characters visibly (stdout is a TTY). */
  visible: v.optional(v.boolean()),
});
export type Selection = v.InferOutput<typeof SelectionSchema>;

const StreamFacts = v.object({
  name: v.picklist(STREAM_NAMES),
  bytes: count,
  lines: count,
  sha256: v.string(),
});
const CaptureRow = v.object({
  id: v.string(),
  handle: v.string(),
  command: v.string(),
  cwd: v.string(),
  agent: v.string(),
  session: v.string(),
  startedAtMs: v.number(),
  durationMs: v.number(),
  exit: v.nullable(v.number()),
  signal: v.nullable(v.string()),
  mode: v.picklist(['pty', 'pipe']),
  bytes: count,
  linesBefore: count,
  linesAfter: count,
  /** Null until the tokenizer has counted. */
  tokensBefore: v.nullable(count),
  tokensAfter: v.nullable(count),
  tokensEstimated: v.boolean(),
  /** `literal`, `terminal`, … : what made the projection, and why it is literal. */
  source: v.string(),
  reason: v.string(),
  flags: v.array(v.string()),
  pinned: v.boolean(),
});
export type CaptureRow = v.InferOutput<typeof CaptureRow>;

export const REQUESTS = {
  list: {
    params: v.strictObject({
      limit: v.optional(v.pipe(positive, v.maxValue(10_000))),
      session: v.optional(v.string()),
    }),
    result: v.object({ captures: v.array(CaptureRow) }),
  },
  show: {
    params: v.strictObject({ handle }),
    result: v.object({ handle: v.string(), streams: v.array(StreamFacts), captures: v.array(CaptureRow) }),
  },
  /** Answers with binary frames (the bytes), then the result. */
  expand: {
    params: v.strictObject({ handle, select: SelectionSchema }),
    result: v.object({ handle: v.string(), bytes: count, sha256: v.string(), note: v.nullable(v.string()) }),
  },
  /** Takes binary frames (the input of `compress`), archives them, answers with the handle. */
  put: {
    params: v.strictObject({ command: v.string(), exit: v.nullable(v.number()) }),
    result: v.object({ handle: v.string(), bytes: count, sha256: v.string() }),
  },
  pin: {
    params: v.strictObject({ handle, pinned: v.boolean() }),
    result: v.object({ handle: v.string(), pinned: v.boolean() }),
  },
  forget: {
    params: v.strictObject({ handle }),
    result: v.object({ handle: v.string(), captures: count, freedBytes: count }),
  },
  gc: { params: v.strictObject({}), result: v.object({ captures: count, blobs: count, freedBytes: count }) },
  status: {
    params: v.strictObject({}),
    result: v.object({
      daemon: v.object({
        pid: count,
        version: v.string(),
        startedAtMs: v.number(),
        runningCaptures: count,
        freeTickets: count,
        ptyPackage: v.string(),
        workerRestarts: count,
        servedCaptures: count,
      }),
      workerPid: count,
      archive: v.object({
        path: v.string(),
        captures: count,
        handles: count,
        bytes: count,
        maxBytes: count,
        maxAgeDays: v.number(),
        pinned: count,
        refused: count,
        /** '' when all is well; else one line. */
        trouble: v.string(),
      }),
      tokens: v.object({ before: count, after: count, estimated: v.boolean() }),
    }),
  },
  /** Asks the daemon to stop; answered before it does. */
  stop: { params: v.strictObject({}), result: v.object({ pid: count }) },
} as const;

export type RequestName = keyof typeof REQUESTS;
export type ParamsOf<N extends RequestName> = v.InferOutput<(typeof REQUESTS)[N]['params']>;
export type ResultOf<N extends RequestName> = v.InferOutput<(typeof REQUESTS)[N]['result']>;
