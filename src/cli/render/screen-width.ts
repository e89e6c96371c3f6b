/** Lines that nobody's terminal bounds (a pipe, a file) still end somewhere. */
const DEFAULT_COLUMNS = 120;

/** Columns that a table may take. */
export function screenWidth(): number {
  return process.stdout.isTTY ? process.stdout.columns || DEFAULT_COLUMNS : DEFAULT_COLUMNS;
}
