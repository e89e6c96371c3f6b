import { styleText } from 'node:util';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';
export type Paint = (style: Style, text: string) => string;

export const plainPaint: Paint = (_style, text) => text;
// The stream was looked at already (`paintFor`): styleText must not decide once more.
const colourPaint: Paint = (style, text) =>
  text === '' ? '' : styleText(style, text, { validateStream: false });

/** Colour only for a person at a terminal who did not refuse it (no-color.org: any non-empty `NO_COLOR`). */
export function paintFor(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): Paint {
  return stream.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb' ? colourPaint : plainPaint;
}
