/** Programs that print other data on a terminal: name → subcommands, or null when every use counts. */
export type TtySensitive = ReadonlyMap<string, ReadonlySet<string> | null>;

/** Parses tty-sensitive.txt: `#` comments, one `program` or `program subcommand` per line. */
export function parseTtySensitive(text: string): TtySensitive {
  const table = new Map<string, Set<string> | null>();
  for (const line of text.split('\n')) {
    const [program, subcommand] = line.split('#')[0]!.trim().split(/\s+/);
    if (!program) continue;
    if (!subcommand) table.set(program, null);
    else if (table.get(program) !== null)
      table.set(program, (table.get(program) ?? new Set()).add(subcommand));
  }
  return table;
}

const SEPARATORS = new Set(' \t\n;|&()<>\'"`$={}!\\');

/**
 * Whether the command string names such a program anywhere. Words are cut at every shell metacharacter and
 * nothing is parsed: a false hit only means a pipe, which is what the program would have had natively.
 * No regular expression: the daemon runs none on what a command brings.
 */
export function isTtySensitive(table: TtySensitive, command: string): boolean {
  const wanted: ReadonlySet<string>[] = [];
  for (const word of words(command)) {
    for (const subcommands of wanted) if (subcommands.has(word)) return true;
    const found = table.get(word.slice(word.lastIndexOf('/') + 1));
    if (found === null) return true;
    if (found) wanted.push(found);
  }
  return false;
}

function* words(text: string): Generator<string> {
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    if (i < text.length && !SEPARATORS.has(text[i]!)) continue;
    if (i > start) yield text.slice(start, i);
    start = i + 1;
  }
}
