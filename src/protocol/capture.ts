/** The streams of one capture. `late` is what background children print after the command has ended. */
export const STREAM_NAMES = ['stdout', 'stderr', 'late'] as const;
export type StreamName = (typeof STREAM_NAMES)[number];

/** How the command's stdout was taken: a pseudo-terminal, or the capture FIFO itself. */
export type CaptureMode = 'pty' | 'pipe';

/** How a command ended. `exit` is null when the hook vanished before it could tell. */
export interface Ending {
  /** Exit status 0–255 as a shell reports it (128+n for a signal), or null. */
  exit: number | null;
  /** Signal name (`SIGKILL`) when a signal certainly ended the command; null when not, or not known. */
  signal: string | null;
}

/** Everything known about one captured command, apart from its bytes. */
export interface CaptureFacts extends Ending {
  /** Capture id: 16 lower-case hex digits, random, unique. */
  id: string;
  /** The command string as the shell got it (at most 32 KiB are sent; see `commandBytes`). */
  command: string;
  /** Byte length of the whole command string. */
  commandBytes: number;
  /** `$1` when the string is of the form that evaluates its first argument; else ''. */
  argument: string;
  cwd: string;
  /** Marker variable that named the agent (`CLAUDECODE`), or 'run' for `caveman run`. */
  agent: string;
  /** Session id of the agent, or `pid:starttime` of its process. */
  session: string;
  startedAtMs: number;
  durationMs: number;
  mode: CaptureMode;
  flags: CaptureFlags;
}

export interface CaptureFlags {
  /** The hook vanished: nobody saw the end. */
  killed: boolean;
  /** `CAVEMAN=raw`, `run --raw`: archive, but show the original. */
  raw: boolean;
  /** The command itself ran a caveman recovery verb: its output stays literal, and is evicted first. */
  literal: boolean;
}
