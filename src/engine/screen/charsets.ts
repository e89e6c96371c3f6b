import { graphicOf } from './graphics.ts';

const DEC_GRAPHICS = 0x30; // final byte 0
const G0 = 0x28; // designator (

/** The character sets G0 and G1, of which DEC special graphics is the one that changes what ASCII shows as. */
export class Charsets {
  private graphics = [false, false];
  private shifted = 0;

  /** ESC ( or ) with the set's final byte. */
  designate(designator: number, set: number): void {
    this.graphics[designator === G0 ? 0 : 1] = set === DEC_GRAPHICS;
  }

  /** SO (1) and SI (0). */
  shift(to: 0 | 1): void {
    this.shifted = to;
  }

  reset(): void {
    this.graphics = [false, false];
    this.shifted = 0;
  }

  /** Some set is line drawing, so that a shift matters. */
  get hasGraphics(): boolean {
    return this.graphics[0]! || this.graphics[1]!;
  }

  /** ASCII shows as line drawing now. */
  get drawsLines(): boolean {
    return this.graphics[this.shifted]!;
  }

  /** What an ASCII character shows as. */
  shown(code: number): number {
    return this.drawsLines ? graphicOf(code) : code;
  }
}
