import type { CaptureFacts, StreamName } from '../protocol/capture.ts';

export interface ArchiveLimits {
  /** Upper bound of stored bytes as LMDB counts pages (compressed, with indexes), default 1 GiB. */
  maxBytes: number;
  /** Captures older than this may go, default 30 days. */
  maxAgeDays: number;
  /** How many sent texts `sentBefore` remembers, default 100,000. */
  rememberedViews?: number;
}

/** A stored stream: its digest is over the original bytes, also when a middle part was not kept. */
export interface StoredStream {
  name: StreamName;
  bytes: number;
  sha256: string;
  /** Lines of the original. */
  lines: number;
  /** Byte range that was not kept, when the stream was too large; else null. */
  lost: { from: number; to: number } | null;
}

/** What was shown for a capture. */
export interface StoredView {
  source: string;
  reason: string;
  linesBefore: number;
  linesAfter: number;
  tokensBefore: number | null;
  tokensAfter: number | null;
  tokensEstimated: boolean;
  /** SHA-256 of the exact text that was sent, hex; '' when the original went through. */
  sha256: string;
  /** One per marker, those of stdout first, in order; `stream` absent means stdout. */
  elisions: { firstLine: number; lastLine: number; lines: number; rule: string; stream?: StreamName }[];
}

export interface StoredCapture {
  handle: string;
  facts: CaptureFacts;
  streams: StoredStream[];
  view: StoredView;
  pinned: boolean;
  /** When the handle was last shown to anyone, ms since 1970; 0 when never. */
  shownAtMs: number;
}

/** Writes one capture's streams chunk by chunk, then binds them to a handle. */
export interface CaptureWriter {
  /** Bytes of one stream, in order. Resolves when it is safe to push more (bounded memory). */
  write(stream: StreamName, chunk: Uint8Array): Promise<void>;
  /** Seals the streams, durable before it resolves. The handle is issued here. */
  seal(facts: CaptureFacts): Promise<{ handle: string; streams: StoredStream[] }>;
  abort(): Promise<void>;
}

export interface ArchiveStatus {
  path: string;
  captures: number;
  handles: number;
  bytes: number;
  maxBytes: number;
  maxAgeDays: number;
  pinned: number;
  /** Captures that were refused for want of room since the archive was opened. */
  refused: number;
  trouble: string;
}

export interface Archive {
  writer(): CaptureWriter;
  /** Adds (or rewrites) what was shown; `text` is kept so that `expand --view` gives it again. */
  setView(captureId: string, view: StoredView, text: string | null): Promise<void>;
  /** Replaces only the token counts of a view. */
  setTokens(captureId: string, tokensBefore: number, tokensAfter: number, estimated: boolean): Promise<void>;
  /** Adds a `late` stream to a capture. Its bytes do not change the handle. */
  addLate(captureId: string, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  /** Full handle for a full handle or unique prefix; throws CavemanError unknown/ambiguous/forgotten-handle. */
  resolve(handleOrPrefix: string, options: { prefix: boolean }): string;
  /** Captures of a handle, newest first. */
  captures(handle: string): StoredCapture[];
  list(options: { limit: number; session?: string }): StoredCapture[];
  /** Original bytes of one stream, verified chunk by chunk; throws `damaged-archive` instead of wrong bytes. */
  read(handle: string, stream: StreamName): Iterable<Uint8Array>;
  /** The text that was shown for the newest capture of a handle, or null. */
  viewText(handle: string): string | null;
  /** Whether a projection with this SHA-256 (hex) was sent and is remembered. */
  sentBefore(sha256: string): boolean;
  markShown(handle: string, nowMs: number): Promise<void>;
  pin(handle: string, pinned: boolean): Promise<void>;
  forget(handle: string): Promise<{ captures: number; freedBytes: number }>;
  gc(nowMs: number): Promise<{ captures: number; blobs: number; freedBytes: number }>;
  status(): ArchiveStatus;
  close(): Promise<void>;
}
