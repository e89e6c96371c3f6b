import type { CaptureFacts, StreamName } from './capture.ts';

/** One spooled stream of an ended command. The file stays until the worker answers `stored`. */
export interface SpooledStream {
  name: StreamName;
  /** Absolute path of the spool file. */
  path: string;
  /** Bytes that count, from the start of the file. */
  bytes: number;
}

/** What the reader of the projection needs to be told. */
export interface ViewRequest {
  /** `json`: the stdout text is one JSON object (`caveman run --json`). */
  format: 'text' | 'json';
  /** Whether `caveman` on the caller's PATH is this one: else the footer names an absolute path. */
  onPath: boolean;
  /** `caveman run`: name the handle beside a text that has no footer. */
  announce: boolean;
  /** False when nobody waits for a projection: archive only. */
  deliver: boolean;
  /** Why the original was shown without asking the worker (`short`, `raw`); '' when it was not. */
  shownWhole: string;
}

/** Daemon → worker, over the child process channel (structured clone). */
export type DaemonMessage =
  | { type: 'project'; job: number; facts: CaptureFacts; streams: SpooledStream[]; view: ViewRequest }
  | { type: 'late'; job: number; captureId: string; stream: SpooledStream }
  /** `expand` without Node: the worker opens `replyPath` for writing and answers there (see rendezvous.ts). */
  | { type: 'expand'; job: number; args: string[]; tty: boolean; replyPath: string }
  | { type: 'cancel'; job: number }
  | { type: 'ping'; n: number }
  /** Answer to a `status` asked by the worker on a client's behalf. */
  | { type: 'daemonStatus'; job: number; status: DaemonStatus }
  /** Close everything, commit, exit 0. */
  | { type: 'stop' };

/** How one stream is to be sent. `literal`: the spooled bytes as they are, then `trailer`. */
export type StreamView = { kind: 'literal'; trailer: string } | { kind: 'text'; text: Uint8Array };

/** Worker → daemon. */
export type WorkerMessage =
  | { type: 'ready' }
  | { type: 'projected'; job: number; stdout: StreamView; stderr: StreamView | null; note: string }
  /** The archive holds the streams of this job: the spool may go. */
  | { type: 'stored'; job: number }
  | { type: 'failed'; job: number; reason: string }
  /** The worker holds the reply FIFO open: the daemon lets go of its own end. */
  | { type: 'replyOpened'; job: number }
  | { type: 'expanded'; job: number }
  | { type: 'pong'; n: number }
  | { type: 'askStatus'; job: number }
  /** A client asked the daemon to stop (`restart`: stop, and the client starts a new one). */
  | { type: 'askStop' };

export interface DaemonStatus {
  pid: number;
  version: string;
  startedAtMs: number;
  runningCaptures: number;
  freeTickets: number;
  ptyPackage: string;
  workerRestarts: number;
  servedCaptures: number;
}
