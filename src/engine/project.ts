import { SHORT_BYTES } from '../protocol/literal.ts';
import {
  FILE_READ_TOKENS,
  isFileRead,
  literalByRequest,
  MIN_SAVED_SHARE,
  MIN_SAVED_TOKENS,
  STDERR_TOKENS,
  STRUCTURED_TOKENS,
  structuredForm,
} from './literal.ts';
import { MiddleCut } from './middle-cut.ts';
import { RawFacts } from './raw-facts.ts';
import { type Rendered, render } from './render.ts';
import { Screen } from './screen/screen.ts';
import { settle } from './settle.ts';
import { TerminalCompressor } from './terminal/compressor.ts';
import type { KeptLine } from './terminal/kept.ts';
import { Kind } from './terminal/kind.ts';
import { looksLikeOurs, quoted } from './terminal/marker.ts';
import { estimateTokens, FOOTER_TOKENS, lowerBoundOf, MARKER_TOKENS } from './tokens.ts';
import type { Projection, ProjectOptions, Projector } from './types.ts';

/**
 * A projector for one stream. Total: an exception inside the engine makes the projection literal with reason
 * `engine error`. Memory is bounded by the longest line, whatever the length of the stream.
 */
export function createProjector(options: ProjectOptions): Projector {
  return new StreamProjector(options);
}

/** `createProjector` for bytes that are all there. */
export function project(bytes: Uint8Array, options: ProjectOptions): Projection {
  const projector = createProjector(options);
  projector.push(bytes);
  return projector.finish();
}

class StreamProjector implements Projector {
  readonly #options: ProjectOptions;
  readonly #raw = new RawFacts();
  readonly #compressor: TerminalCompressor;
  readonly #screen: Screen;
  readonly #cut: MiddleCut | null;
  readonly #requested: string | null;
  #broken = false;

  constructor(options: ProjectOptions) {
    this.#options = options;
    this.#requested = literalByRequest(options);
    this.#cut = isFileRead(options) ? new MiddleCut(new Kind(0, { level: 0, perLine: false }, 'file')) : null;
    this.#compressor = new TerminalCompressor({
      maxTokens: options.maxTokens,
      keepsMarkers: options.origin === 'stdin',
    });
    this.#screen = new Screen((bytes, start, end) => {
      this.#compressor.push(bytes, start, end);
      this.#cut?.push(bytes, start, end, this.#compressor.lineCount);
    });
  }

  push(chunk: Uint8Array): void {
    this.#raw.push(chunk);
    if (this.#requested !== null || this.#broken || this.#raw.binary.isCertain) return;
    try {
      this.#screen.push(chunk);
    } catch {
      this.#broken = true;
    }
  }

  finish(): Projection {
    if (this.#requested !== null) return this.#literal(this.#requested);
    if (this.#raw.bytes === 0) return this.#literal('empty');
    if (this.#raw.isNulList) return this.#literal('nul list');
    if (this.#raw.binary.isBinary && this.#raw.bytes >= SHORT_BYTES) return this.#literal('binary');
    if (this.#broken) return this.#literal('engine error');
    try {
      this.#screen.finish();
      const projection = this.#decide();
      // A failed command's output never becomes a blank.
      if (projection.text === '' && this.#options.exit !== 0) return this.#literal('empty view');
      return projection;
    } catch {
      return this.#literal('engine error');
    }
  }

  /** Literal rules in order, then the compressor. */
  #decide(): Projection {
    const all = this.#compressor;
    // Whoever compresses by hand wants to hear whether there was nothing to do, or nothing to gain.
    if (all.bytes < SHORT_BYTES && this.#options.origin === 'capture') return this.#whole('short');
    const tokens = estimateTokens(all.bytes, all.tokens);
    if (this.#options.stream === 'stderr' && tokens <= STDERR_TOKENS) return this.#whole('stderr');
    if (this.#cut !== null && this.#raw.detector.type === 'text') {
      if (tokens <= FILE_READ_TOKENS) return this.#whole('file read');
      return this.#elided(this.#cut.lines(), 'window', []);
    }
    if (tokens <= STRUCTURED_TOKENS && all.whole.complete) {
      const form = structuredForm(decoder.decode(all.whole.bytes(this.#screen.endsWithNewline, () => false)));
      if (form) return this.#whole(form);
    }
    const { lines, overBudget } = all.finish();
    const settled = this.#elided(lines, 'redundant', overBudget);
    return this.#options.origin === 'stdin' ? settle(settled, this.#options, project) : settled;
  }

  /** The selected lines with markers, if that saves enough. */
  #elided(lines: KeptLine[], rule: string, overBudget: readonly number[]): Projection {
    const cut = lines.some((line) => line.cutBytes > 0);
    if (lines.length === this.#compressor.lineCount && !cut) return this.#whole('unchanged');
    const rendered = this.#render(lines, rule, overBudget);
    if (!this.#worthwhile(lines, rendered)) return this.#whole('not smaller');
    return { source: 'terminal', reason: '', ...this.#facts(), ...rendered };
  }

  /** Decided by bounds: what is hidden has at least as many tokens as counted; markers and footer cost at most theirs. */
  #worthwhile(lines: KeptLine[], rendered: Rendered): boolean {
    let shown = 0;
    for (const line of lines) shown += lowerBoundOf(line.text) + 1;
    const markers = rendered.elisions.length + lines.filter((line) => line.cutBytes > 0).length * 4;
    const saved = this.#compressor.tokens - shown - markers * MARKER_TOKENS - FOOTER_TOKENS;
    return saved >= MIN_SAVED_TOKENS && saved >= this.#compressor.tokens * MIN_SAVED_SHARE;
  }

  #render(lines: KeptLine[], rule: string, overBudget: readonly number[]): Rendered {
    const screen = this.#screen;
    return render(lines, {
      lineCount: this.#compressor.lineCount,
      crlf: this.#raw.endings.mostlyCrlf,
      isCrlf: this.#isCrlf(),
      endsWithNewline: screen.endsWithNewline,
      quotes: this.#options.origin === 'capture',
      rule,
      overBudget,
    });
  }

  /** The whole text: the original if cleaning changed nothing, else the cleaned text. */
  #whole(reason: string): Projection {
    const { whole, lineCount, sawOurs } = this.#compressor;
    const quotes = sawOurs && this.#options.origin === 'capture';
    if (!whole.complete) return this.#literal(reason);
    const bytes = whole.bytes(this.#screen.endsWithNewline, this.#isCrlf());
    if (!quotes && sameBytes(bytes, this.#raw.held)) return this.#literal(reason);
    const text = decoder.decode(bytes);
    return {
      source: 'cleaned',
      reason: '',
      ...this.#facts(),
      text: quotes ? quoteOurs(text) : text,
      elisions: [],
      linesAfter: lineCount,
    };
  }

  #isCrlf(): (line: number) => boolean {
    return this.#raw.endings.reader(this.#screen.redrawn);
  }

  #literal(reason: string): Projection {
    const facts = this.#facts();
    return { source: 'literal', reason, text: null, elisions: [], linesAfter: facts.linesBefore, ...facts };
  }

  #facts(): { linesBefore: number; bytesBefore: number } {
    return { linesBefore: this.#raw.lines, bytesBefore: this.#raw.bytes };
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function sameBytes(a: Uint8Array, b: Uint8Array | null): boolean {
  if (b === null || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function quoteOurs(text: string): string {
  return text
    .split('\n')
    .map((line) => (looksLikeOurs(line.replace(/\r$/, '')) ? quoted(line) : line))
    .join('\n');
}
