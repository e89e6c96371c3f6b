import { MAX_COLUMN, SCREEN_ROWS } from './cursor.ts';
import type { Grid } from './grid.ts';
import type { Sequence } from './sequence.ts';
import { nextTabStop, previousTabStop } from './tab-stops.ts';

/**
 * Carries out a CSI sequence: the cursor and editing functions of ECMA-48, VT220 and xterm. Returns whether lines
 * and rows may differ from here on.
 */
export function control(grid: Grid, sequence: Sequence): boolean {
  const n = sequence.count();
  const { op } = sequence;
  if (op === 0x4a) return grid.eraseDisplay(Math.max(0, sequence.first)); // J ED
  if (op === 0x75) return grid.restore(); // u
  if (op === 0x73)
    grid.save(); // s
  else if (editsRow(grid, sequence, n) || movesInRow(grid, op, n)) return false;
  else {
    grid.cursor.addressed();
    return movesRows(grid, sequence, n) || movesAcross(grid, sequence, n);
  }
  return false;
}

function editsRow(grid: Grid, sequence: Sequence, n: number): boolean {
  const { cursor, eraser } = grid;
  switch (sequence.op) {
    case 0x40: // @ ICH
      eraser.insert(n);
      return true;
    case 0x4b: // K EL
      eraser.line(Math.max(0, sequence.first));
      return true;
    case 0x50: // P DCH
      eraser.remove(n);
      return true;
    case 0x58: // X ECH
      eraser.cells(cursor.x, cursor.x + n);
      return true;
    case 0x62: // b REP
      grid.repeat(n);
      return true;
  }
  return false;
}

function movesInRow(grid: Grid, op: number, n: number): boolean {
  const { cursor } = grid;
  switch (op) {
    case 0x43: // C CUF
    case 0x61: // a HPR
      cursor.toColumn(cursor.x + n);
      return true;
    case 0x44: // D CUB
      cursor.toColumn(cursor.x - n);
      return true;
    case 0x47: // G CHA
    case 0x60: // ` HPA
      cursor.toColumn(n - 1);
      return true;
    case 0x49: // I CHT
      cursor.toColumn(nextTabStop(cursor.x, Math.min(n, MAX_COLUMN)));
      return true;
    case 0x5a: // Z CBT
      cursor.toColumn(previousTabStop(cursor.x, n));
      return true;
  }
  return false;
}

function movesRows(grid: Grid, sequence: Sequence, n: number): boolean {
  const { cursor, region } = grid;
  switch (sequence.op) {
    case 0x4c: // L IL
      region.insertRows(n);
      return true;
    case 0x4d: // M DL
      region.removeRows(n);
      return true;
    case 0x53: // S SU
      for (let k = 0; k < Math.min(n, SCREEN_ROWS); k++) region.scrollUp(grid.alternate);
      return true;
    case 0x54: // T SD
      region.scrollDown(n);
      return true;
    case 0x72: // r DECSTBM
      region.set(sequence.first, sequence.second);
      cursor.y = cursor.top;
      cursor.x = 0;
      return true;
  }
  return false;
}

function movesAcross(grid: Grid, sequence: Sequence, n: number): boolean {
  const { cursor } = grid;
  switch (sequence.op) {
    case 0x41: // A CUU
    case 0x6b: // k VPB
      grid.up(n);
      return true;
    case 0x46: // F CPL
      cursor.x = 0;
      grid.up(n);
      return true;
    case 0x42: // B CUD
    case 0x65: // e VPR
      cursor.y = cursor.lower(cursor.y + n);
      return true;
    case 0x45: // E CNL
      cursor.x = 0;
      cursor.y = cursor.lower(cursor.y + n);
      return true;
    case 0x48: // H CUP
    case 0x66: // f HVP
      cursor.y = cursor.lower(cursor.top + n - 1);
      cursor.x = Math.min(Math.max(1, sequence.second) - 1, cursor.rightmost());
      cursor.homed = cursor.y === cursor.top && cursor.x === 0;
      return true;
    case 0x64: // d VPA
      cursor.y = cursor.lower(cursor.top + n - 1);
      return true;
  }
  return false;
}
