const TAB_STOP = 8;

/** Column of the `count`-th tab stop right of `column`. */
export function nextTabStop(column: number, count = 1): number {
  return column - (column % TAB_STOP) + count * TAB_STOP;
}

/** Column of the `count`-th tab stop left of `column`, or 0. */
export function previousTabStop(column: number, count: number): number {
  const before = Math.max(0, column - 1);
  return Math.max(0, before - (before % TAB_STOP) - (count - 1) * TAB_STOP);
}
