import { closeSync, fstatSync, lstatSync, readdirSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type RendezvousRequest, SLOT_NAMES } from '../protocol/rendezvous.ts';
import { makeFifos, openBothEnds, randomName, removeQuietly } from './fifo.ts';
import { Slot, type SlotEvents } from './slot.ts';
import { Supply } from './supply.ts';

/** How often missing tickets are looked for, and how long one may be missing before its slot is laid anew. */
const SWEEP_MS = 250;
const MISSING_MS = 1000;
/** A full FIFO (64 KiB on Linux). */
const MAX_DRAIN_READS = 16;
/** How often the directory itself is looked for. */
const DIRECTORY_CHECK_MS = 5000;

export interface RendezvousEvents {
  request(slot: Slot, request: RendezvousRequest): void;
  said(slot: Slot, bytes: Buffer): void;
  left(slot: Slot): void;
  /** The directory is gone (somebody cleaned /tmp): everything must be laid again. */
  directoryLost(): void;
  trouble(what: string, error?: Error): void;
}

/**
 * The ticket FIFO holds one byte per free slot, and that byte is the slot's name: reading one byte is atomic, so
 * hooks need no lock. Slots are laid again as soon as they are taken.
 */
export class Rendezvous {
  private readonly directory: string;
  private readonly names: string[];
  private readonly events: RendezvousEvents;
  private readonly bases: Supply<string>;
  private readonly slots = new Map<string, Slot>();
  private readonly missingSince = new Map<string, number>();
  private readonly laying = new Set<string>();
  private ticketFd = -1;
  private sweeper: NodeJS.Timeout | null = null;
  private watcher: NodeJS.Timeout | null = null;

  constructor(directory: string, slots: number, events: RendezvousEvents) {
    this.directory = directory;
    this.names = [...SLOT_NAMES].slice(0, Math.min(slots, SLOT_NAMES.length));
    this.events = events;
    this.bases = new Supply(
      slots,
      async (count) => {
        const made = Array.from({ length: count }, randomName);
        await makeFifos(made.flatMap((base) => [join(directory, `${base}.q`), join(directory, `${base}.p`)]));
        return made;
      },
      (base) => this.removeBase(base),
      (error) => events.trouble('cannot lay request FIFOs', error),
    );
  }

  get freeSlots(): number {
    let free = 0;
    for (const slot of this.slots.values()) if (slot.state === 'free') free++;
    return free;
  }

  async open(): Promise<void> {
    // Before anything can fail: what could not be laid is tried again.
    this.watcher = setInterval(() => {
      if (!this.isLaid()) this.events.directoryLost();
    }, DIRECTORY_CHECK_MS);
    this.clearDirectory();
    await makeFifos([join(this.directory, 'tickets')]);
    this.ticketFd = openBothEnds(join(this.directory, 'tickets'));
    await this.bases.fill();
    await Promise.all(this.names.map((name) => this.lay(name)));
    this.sweeper = setInterval(() => this.sweep(), SWEEP_MS);
  }

  /** Whether the ticket FIFO that hooks find is the one that we fill. */
  private isLaid(): boolean {
    try {
      const found = lstatSync(join(this.directory, 'tickets'));
      const ours = fstatSync(this.ticketFd);
      return found.ino === ours.ino && found.dev === ours.dev;
    } catch {
      return false;
    }
  }

  /** No new request after this; those under way go on. */
  close(): void {
    if (this.sweeper) clearInterval(this.sweeper);
    if (this.watcher) clearInterval(this.watcher);
    this.bases.close();
    removeQuietly(this.directory, ['tickets']);
    for (const [name, slot] of this.slots) {
      Slot.removeNames(this.directory, name);
      if (slot.state === 'free') slot.close();
    }
    this.slots.clear();
    if (this.ticketFd >= 0) closeSync(this.ticketFd);
    this.ticketFd = -1;
  }

  /** What a dead daemon left behind, and whatever took the place of the tickets. The socket and the lock live here too. */
  private clearDirectory(): void {
    const ours = readdirSync(this.directory, { withFileTypes: true }).filter((entry) => entry.isFIFO());
    removeQuietly(this.directory, [...ours.map((entry) => entry.name), 'tickets']);
  }

  private removeBase(base: string): void {
    removeQuietly(this.directory, [`${base}.q`, `${base}.p`]);
  }

  private async lay(name: string): Promise<void> {
    if (this.laying.has(name)) return;
    this.laying.add(name);
    const base = await this.bases.take();
    this.laying.delete(name);
    // Without one the sweep tries again: it finds the ticket missing.
    if (!base) return;
    if (this.ticketFd < 0) return this.removeBase(base);
    try {
      this.slots.set(name, new Slot(this.directory, base, name, this.slotEvents));
      this.missingSince.delete(name);
      writeSync(this.ticketFd, name);
    } catch (error) {
      this.events.trouble(`cannot lay slot ${name}`, error as Error);
    }
  }

  private readonly slotEvents: SlotEvents = {
    taken: (slot, request) => {
      this.forget(slot);
      this.events.request(slot, request);
    },
    spoilt: (slot, why) => {
      this.events.trouble(`slot ${slot.name}: ${why}`);
      this.forget(slot);
    },
    said: (slot, bytes) => this.events.said(slot, bytes),
    left: (slot) => this.events.left(slot),
  };

  /** The name is free again; the FIFOs under it are unlinked by the rename of the next pair. */
  private forget(slot: Slot): void {
    if (this.slots.get(slot.name) !== slot) return;
    this.slots.delete(slot.name);
    setImmediate(() => void this.lay(slot.name));
  }

  /** Tickets that were read by a hook that never asked: drained, put back, and the missing ones laid anew. */
  private sweep(): void {
    const lying = this.drainTickets();
    const now = Date.now();
    for (const name of this.names) {
      if (lying.has(name)) {
        this.missingSince.delete(name);
        continue;
      }
      const since = this.missingSince.get(name);
      if (since === undefined) this.missingSince.set(name, now);
      else if (now - since >= MISSING_MS) this.layAnew(name);
    }
  }

  private layAnew(name: string): void {
    const slot = this.slots.get(name);
    this.slots.delete(name);
    this.missingSince.delete(name);
    slot?.close();
    void this.lay(name);
  }

  private drainTickets(): Set<string> {
    const lying = new Set<string>();
    const buffer = Buffer.alloc(4096);
    try {
      // Anybody inside a sandbox may have filled it: what is no ticket goes.
      for (let round = 0; round < MAX_DRAIN_READS; round++) {
        const length = readSync(this.ticketFd, buffer);
        for (const name of buffer.toString('latin1', 0, length)) if (this.slots.has(name)) lying.add(name);
      }
    } catch {
      // Empty.
    }
    if (lying.size > 0) writeSync(this.ticketFd, [...lying].join(''));
    return lying;
  }
}
