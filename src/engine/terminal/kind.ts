import { Columns } from './columns.ts';
import type { Importance, Level } from './importance.ts';
import type { KeptLine } from './kept.ts';
import type { LineScanner } from './scan.ts';
import type { RecentLines } from './tail.ts';

/** First lines that are kept of each kind. */
export const FIRST_LINES = 3;
/** Bounds of the table: plain kinds, kinds without a letter, kinds that matter. */
const MAX_PLAIN = 4096;
const MAX_NUMERIC = 512;
const MAX_IMPORTANT = 2048;
const SLOTS = 1 << 14;

/** All lines with one masked form: what is known about them, in bounded space. */
export class Kind {
  readonly id: number;
  readonly level: Level;
  readonly perLine: boolean;
  /** Equal for lines that differ only in digits, also where the guard tells them apart. */
  readonly foldKey: string;
  count = 0;
  /** The first lines after the head. */
  readonly firsts: KeptLine[] = [];
  readonly columns = new Columns();
  /** Same masked form, but digits that make it matter more or less. */
  readonly variants: Kind[] = [];
  /** Levels by the classes of a line's numbers, for kinds that are judged line by line. */
  readonly levels = new Map<number, Level>();
  /** The newest line; only for kinds that matter. */
  last: RecentLines | null = null;

  constructor(id: number, importance: Importance, foldKey: string) {
    this.id = id;
    this.level = importance.level;
    this.perLine = importance.perLine;
    this.foldKey = foldKey;
  }
}

/** Bounded hash table of kinds. Kinds that find no room share one overflow kind for each level. */
export class KindTable {
  readonly kinds: Kind[] = [];
  readonly #hashA = new Int32Array(SLOTS);
  readonly #hashB = new Int32Array(SLOTS);
  readonly #slots: (Kind | undefined)[] = new Array(SLOTS).fill(undefined);
  readonly #overflow = new Map<Level, Kind>();
  #plain = 0;
  /** Lines without a letter found no room: the kinds that did are a part of many. */
  numericOverflow = false;
  #numeric = 0;
  #important = 0;

  find(hashA: number, hashB: number): Kind | undefined {
    let slot = hashA & (SLOTS - 1);
    for (;;) {
      const kind = this.#slots[slot];
      if (kind === undefined || (this.#hashA[slot] === hashA && this.#hashB[slot] === hashB)) return kind;
      slot = (slot + 1) & (SLOTS - 1);
    }
  }

  /** A new kind for the scanned line, or the overflow kind of its level. `maskedA`, `maskedB`: hash of its masked form. */
  add(line: LineScanner, importance: Importance, maskedA: number, maskedB: number): Kind {
    if (!this.#hasRoom(importance, !line.hasLetter)) return this.overflow(importance.level);
    const { hashA, hashB } = line;
    const kind = this.create(importance, `${maskedA},${maskedB}`);
    let slot = hashA & (SLOTS - 1);
    while (this.#slots[slot] !== undefined) slot = (slot + 1) & (SLOTS - 1);
    this.#slots[slot] = kind;
    this.#hashA[slot] = hashA;
    this.#hashB[slot] = hashB;
    return kind;
  }

  /** A kind that is found otherwise than by its hash. */
  create(importance: Importance, foldKey: string): Kind {
    const kind = new Kind(this.kinds.length, importance, foldKey);
    this.kinds.push(kind);
    return kind;
  }

  overflow(level: Level): Kind {
    let kind = this.#overflow.get(level);
    if (!kind) {
      kind = this.create({ level, perLine: false }, `overflow ${level}`);
      this.#overflow.set(level, kind);
    }
    return kind;
  }

  isOverflow(kind: Kind): boolean {
    return this.#overflow.get(kind.level) === kind;
  }

  #hasRoom(importance: Importance, numeric: boolean): boolean {
    if (importance.level > 0 || importance.perLine) return this.#important++ < MAX_IMPORTANT;
    if (numeric) {
      if (this.#numeric++ >= MAX_NUMERIC) this.numericOverflow = true;
      return !this.numericOverflow;
    }
    return this.#plain++ < MAX_PLAIN;
  }
}
