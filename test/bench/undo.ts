/** What has to be taken back when the run ends early: newest first. */
const open: (() => void | Promise<void>)[] = [];

/** Runs `use`, then `undo`; `undo` runs too when the bench is interrupted meanwhile. */
export async function undone<T>(undo: () => void | Promise<void>, use: () => Promise<T>): Promise<T> {
  open.push(undo);
  try {
    return await use();
  } finally {
    open.splice(open.indexOf(undo), 1);
    await undo();
  }
}

/** On INT or TERM: leaves no process and no file, and ends with 128 + the signal's number. */
export function undoOnSignals(): void {
  for (const [signal, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ] as const) {
    process.once(signal, async () => {
      for (const undo of open.splice(0).reverse()) await undo();
      process.exit(128 + number);
    });
  }
}
