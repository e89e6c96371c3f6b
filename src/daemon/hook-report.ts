const MAX_REPORT_BYTES = 64 * 1024;

/** How the hook says that the command ended. */
export interface Report {
  status: number;
  /** bash wrote about a signal before: the status certainly names one. */
  bySignal: boolean;
}

/**
 * What comes on the request FIFO behind the request: whatever the shell says about a signal (its words depend on
 * the locale, only that it says something counts), then `EXIT STATUS` on a line of its own.
 */
export class ReportReader {
  private text = '';

  /** The report, once its line is whole. */
  push(bytes: Uint8Array): Report | null {
    this.text = (this.text + Buffer.from(bytes).toString('latin1')).slice(-MAX_REPORT_BYTES);
    const at = this.text.lastIndexOf('\nEXIT ');
    if (at < 0) return null;
    const end = this.text.indexOf('\n', at + 1);
    if (end < 0) return null;
    const status = Number(this.text.slice(at + 6, end));
    if (!Number.isInteger(status) || status < 0 || status > 255) return null;
    return { status, bySignal: status > 128 && this.text.slice(0, at).trim() !== '' };
  }
}
