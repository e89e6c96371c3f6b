import type { KeptLine } from './kept.ts';
import { decode, MAX_LINE_BYTES } from './window.ts';

/** Lines that the compressor keeps at each end. Source: the seed. */
export const EDGE_LINES = 3;

/** A line as it passes by: all that is needed to keep it. */
export type LineFacts = Omit<KeptLine, 'text' | 'cutBytes' | 'pinned'>;

interface Slot {
  bytes: Uint8Array;
  length: number;
  facts: LineFacts | null;
  /** Set at once for long lines, which are not copied whole. */
  kept: KeptLine | null;
}

/** The last few lines of a stream, copied into reused buffers: one copy a line, nothing is decoded until asked. */
export class RecentLines {
  readonly #slots: Slot[] = [];
  #next = 0;

  constructor(size: number) {
    for (let i = 0; i < size; i++) {
      this.#slots.push({ bytes: new Uint8Array(256), length: 0, facts: null, kept: null });
    }
  }

  /** `keep` gives the line as it is shown; it is only called for long lines. */
  add(bytes: Uint8Array, start: number, end: number, facts: LineFacts, keep: () => KeptLine): void {
    const slot = this.#slots[this.#next]!;
    this.#next = (this.#next + 1) % this.#slots.length;
    const length = end - start;
    slot.facts = facts;
    slot.length = length;
    if (length > MAX_LINE_BYTES) {
      slot.kept = keep();
      return;
    }
    slot.kept = null;
    if (slot.bytes.length < length) slot.bytes = new Uint8Array(length * 2);
    const to = slot.bytes;
    for (let i = 0; i < length; i++) to[i] = bytes[start + i]!;
  }

  /** The lines, oldest first. */
  lines(): KeptLine[] {
    const out: KeptLine[] = [];
    for (let i = 0; i < this.#slots.length; i++) {
      const slot = this.#slots[(this.#next + i) % this.#slots.length]!;
      if (slot.kept) out.push(slot.kept);
      else if (slot.facts) {
        out.push({ ...slot.facts, text: decode(slot.bytes, 0, slot.length), cutBytes: 0, pinned: false });
      }
    }
    return out;
  }
}
