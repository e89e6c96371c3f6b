import type { StreamView } from '../protocol/jobs.ts';
import { HEADER, inlineText, noteHeader } from '../protocol/rendezvous.ts';
import type { Reply } from './reply.ts';
import type { SpoolFile } from './spool-file.ts';

/** Whole files up to this size are read at once and may go inline. */
const SMALL_BYTES = 32_768;

/**
 * Everything that the pump of one capture is sent: header lines and stdout on the one reply FIFO, stderr inline there
 * too, or as it comes on the other FIFO, which the pump then copies beside its other work.
 */
export class Delivery {
  private readonly reply: Reply;
  private readonly openErr: () => Reply;
  private err: Reply | null = null;
  private outIsRaw = false;

  constructor(reply: Reply, openErr: () => Reply) {
    this.reply = reply;
    this.openErr = openErr;
  }

  /** The projection takes its time: the pump's deadline starts anew. */
  stillWorking(): void {
    if (!this.outIsRaw) this.reply.write(HEADER.wait);
  }

  /** False when the pump has given us up, and prints the spool and what the capture FIFOs hold. */
  async pumpListens(): Promise<boolean> {
    return this.outIsRaw || this.reply.reaches(HEADER.wait);
  }

  killCommand(): void {
    if (!this.outIsRaw) this.reply.write(HEADER.kill);
  }

  /** From here on stdout is everything that is written to the returned reply. No header can follow. */
  rawOut(): Reply {
    // stderr must be announced before: afterwards there is no way to.
    this.rawErr();
    this.reply.write(HEADER.copy);
    this.outIsRaw = true;
    return this.reply;
  }

  rawErr(): Reply {
    if (!this.err) {
      this.err = this.openErr();
      this.reply.write(HEADER.copyErr);
    }
    return this.err;
  }

  /** Sends stderr. Views of streams that went out raw are not sent again. */
  async sendErr(view: StreamView, spool: SpoolFile): Promise<void> {
    const small = this.err ? null : smallBytes(view, spool);
    if (small?.length === 0) return;
    const inline = small && inlineText('U', small);
    if (inline) {
      this.reply.write(inline);
      return;
    }
    const reply = this.rawErr();
    if (view.kind === 'text') reply.write(view.text);
    else {
      await reply.copyFile(spool.path, spool.bytes);
      reply.write(view.trailer);
    }
    await reply.end();
  }

  /** Sends stdout and ends. `bySignal`: the command certainly died by the signal that its status names. */
  async sendOut(view: StreamView, spool: SpoolFile, bySignal: boolean, note: string): Promise<void> {
    if (bySignal) this.reply.write(HEADER.signal);
    if (note) this.reply.write(noteHeader(note));
    const small = smallBytes(view, spool);
    const inline = small && inlineText('T', small);
    if (small?.length === 0) this.reply.write(HEADER.end);
    else if (inline) this.reply.write(Buffer.concat([inline, Buffer.from(HEADER.end)]));
    else {
      this.reply.write(HEADER.copy);
      if (view.kind === 'text') this.reply.write(view.text);
      else {
        await this.reply.copyFile(spool.path, spool.bytes);
        this.reply.write(view.trailer);
      }
    }
    await this.reply.end();
  }

  /** Ends what went out raw. */
  async end(): Promise<void> {
    await Promise.all([this.reply.end(), this.err?.end()]);
  }

  drop(): void {
    this.reply.drop();
    this.err?.drop();
  }
}

/** The whole text, when it is small; else null. */
function smallBytes(view: StreamView, spool: SpoolFile): Buffer | null {
  if (view.kind === 'text') return view.text.length <= SMALL_BYTES ? Buffer.from(view.text) : null;
  if (spool.bytes > SMALL_BYTES) return null;
  return Buffer.concat([spool.start(spool.bytes), Buffer.from(view.trailer)]);
}
