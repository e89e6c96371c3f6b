import { countSample, type TokenCount } from '../runtime/tokens/count.ts';
import { Sampler } from '../runtime/tokens/sampler.ts';
import type { HeldInput } from './held-input.ts';

/** Bytes of usual English and code per o200k_base token; only for when the tokenizer cannot be had. */
const BYTES_PER_TOKEN = 4;

/** Tokens of everything held; a rough estimate, labelled so, when the tokenizer fails. */
export async function countHeld(input: HeldInput): Promise<TokenCount> {
  const sampler = new Sampler(input.bytes);
  for await (const chunk of input.replay()) sampler.push(chunk);
  return await countSample(sampler.sample()).catch(() => rough(input.bytes));
}

/** Tokens of a text, as `countHeld`. */
export async function countText(text: Uint8Array): Promise<TokenCount> {
  const sampler = new Sampler(text.length);
  sampler.push(text);
  return await countSample(sampler.sample()).catch(() => rough(text.length));
}

function rough(bytes: number): TokenCount {
  return { tokens: Math.ceil(bytes / BYTES_PER_TOKEN), estimated: true };
}
