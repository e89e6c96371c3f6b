import { parentPort } from 'node:worker_threads';
import o200k from 'js-tiktoken/ranks/o200k_base';
import type { CountAnswer, CountQuestion } from './count.ts';
import { TokenCounter } from './token-counter.ts';

// Entry of the tokenizer's thread (dist/tokenizer.js): reading the ranks takes some 0.2 s, so it is done beside
// the caller, once, and given back by ending the thread.
const counter = new TokenCounter(o200k);

function count(pieces: readonly Uint8Array[]): { tokens: number; cut: boolean } {
  let tokens = 0;
  let cut = false;
  for (const piece of pieces) {
    const counted = counter.count(piece);
    tokens += counted.tokens;
    cut ||= counted.cut;
  }
  return { tokens, cut };
}

parentPort?.on('message', ({ n, pieces }: CountQuestion) => {
  let answer: CountAnswer;
  try {
    answer = { n, ...count(pieces), error: '' };
  } catch (error) {
    answer = { n, tokens: 0, cut: false, error: (error as Error).message };
  }
  parentPort?.postMessage(answer);
});
