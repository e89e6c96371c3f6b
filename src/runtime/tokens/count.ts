import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { CavemanError } from '../../protocol/errors.ts';
import { productRoot } from '../paths.ts';
import { type Sample, sampleOf } from './sampler.ts';

export interface CountQuestion {
  n: number;
  pieces: Uint8Array[];
}
export interface CountAnswer {
  n: number;
  tokens: number;
  /** A run of one kind of character was so long that it was counted in parts. */
  cut: boolean;
  error: string;
}
export interface TokenCount {
  /** o200k_base tokens. */
  tokens: number;
  /** False: exact. True: from samples, or of a text with runs too long to merge exactly. */
  estimated: boolean;
}

interface Waiting {
  resolve(answer: CountAnswer): void;
  reject(error: Error): void;
}

let thread: Worker | null = null;
let asked = 0;
const waiting = new Map<number, Waiting>();

/** Starts loading the tokenizer beside the caller (about 0.6 s); the first count starts it too. */
export function startTokenizer(): void {
  if (thread) return;
  const started = new Worker(join(productRoot(), 'dist', 'tokenizer.js'), { name: 'tokenizer' });
  thread = started;
  started.on('message', (answer: CountAnswer) => {
    const asker = waiting.get(answer.n);
    waiting.delete(answer.n);
    if (waiting.size === 0) started.unref();
    if (answer.error) asker?.reject(new CavemanError('internal', `tokenizer: ${answer.error}`));
    else asker?.resolve(answer);
  });
  const lost = (why: string): void => {
    if (thread !== started) return;
    thread = null;
    const askers = [...waiting.values()];
    waiting.clear();
    for (const asker of askers) asker.reject(new CavemanError('internal', `tokenizer: ${why}`));
  };
  started.on('error', (error) => lost(error.message));
  started.on('exit', () => lost('its thread ended'));
  // An idle tokenizer keeps nobody alive.
  started.unref();
}

/** Counts o200k_base tokens in a thread of its own: exact up to 256 KiB, above that estimated from samples. */
export function countTokens(text: Uint8Array | string): Promise<TokenCount> {
  return countSample(sampleOf(typeof text === 'string' ? new TextEncoder().encode(text) : text));
}

/** As `countTokens`, for a stream that was sampled while it passed by. */
export async function countSample(sample: Sample): Promise<TokenCount> {
  const sampled = sample.pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (sampled === 0) return { tokens: 0, estimated: false };
  const { tokens, cut } = await ask(sample.pieces);
  if (sampled === sample.totalBytes) return { tokens, estimated: cut };
  return { tokens: Math.round((tokens * sample.totalBytes) / sampled), estimated: true };
}

/** Ends the thread and gives its memory back; counts still running are rejected. */
export async function stopTokenizer(): Promise<void> {
  await thread?.terminate();
}

function ask(pieces: Uint8Array[]): Promise<CountAnswer> {
  startTokenizer();
  const n = ++asked;
  return new Promise((resolve, reject) => {
    waiting.set(n, { resolve, reject });
    thread?.ref();
    thread?.postMessage({ n, pieces } satisfies CountQuestion);
  });
}
