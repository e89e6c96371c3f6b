import type { CaptureFacts, StreamName } from '../protocol/capture.ts';
import type { StoredView } from './types.ts';

/** Version of everything in this file; a change that an older caveman would misread raises it. */
export const FORMAT_VERSION = 1;

/** Streams are cut at multiples of this many bytes: large enough for LZ4, small enough to share and to verify. */
export const CHUNK_BYTES = 256 * 1024;

/** How long a handle that was shown may not be evicted: 24 hours (design, §5). */
export const SHOWN_PROTECTION_MS = 24 * 60 * 60 * 1000;

/** A stored chunk's use count and its length before compression. */
export interface ChunkUse {
  uses: number;
  bytes: number;
}

/** One stream's bytes, shared by every capture that printed them. Keyed by the SHA-256 of all of them. */
export interface BlobRecord {
  bytes: number;
  lines: number;
  /** SHA-256 of each kept chunk, 32 bytes each, in order; those before `lost.from` come first. */
  chunks: Uint8Array;
  lost: { from: number; to: number } | null;
  /** Handles and late streams that name this blob. */
  uses: number;
}

/** `live`: has captures. The others are kept for ever so that a handle never names another's bytes. */
export type HandleState = 'live' | 'forgotten' | 'evicted';

/** What a handle is bound to. */
export interface HandleRecord {
  /** SHA-256 over the framed streams, hex. */
  digest: string;
  state: HandleState;
  /** SHA-256 (hex) of each stream that the digest covers. */
  stdout: string;
  stderr: string;
  captures: number;
  /** How many of the captures are flagged literal. */
  literals: number;
  newestAtMs: number;
  shownAtMs: number;
  pinned: boolean;
}

export interface CaptureRecord {
  handle: string;
  facts: CaptureFacts;
  /** Streams in the order of STREAM_NAMES, by SHA-256 (hex). */
  streams: { name: StreamName; sha256: string }[];
  view: StoredView;
}

/** The view of a capture that nothing has been shown for yet. */
export const NO_VIEW: StoredView = {
  source: '',
  reason: '',
  linesBefore: 0,
  linesAfter: 0,
  tokensBefore: null,
  tokensAfter: null,
  tokensEstimated: false,
  sha256: '',
  elisions: [],
};
