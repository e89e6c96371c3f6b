import { createHash } from 'node:crypto';
import { type ContentType, Detector } from '../engine/detect.ts';
import { createProjector } from '../engine/project.ts';
import type { Projection } from '../engine/types.ts';
import { HeldInput } from './held-input.ts';

export interface CompressionOptions {
  /** `--type terminal`; null: detection tells. */
  type: ContentType | null;
  /** The command that printed the input, '' when unknown. */
  command: string;
  /** Its exit status, null when unknown. */
  exit: number | null;
  /** Budget of the projection. */
  maxTokens: number;
}

/** What one pass over the input gave. */
export interface Compression {
  input: HeldInput;
  contentType: ContentType;
  /** SHA-256 of the input, hex. */
  sha256: string;
  projection: Projection;
}

/** Reads the input once: held, hashed, classified and projected chunk by chunk. The caller closes `input`. */
export async function compressInput(
  source: AsyncIterable<Uint8Array>,
  options: CompressionOptions,
): Promise<Compression> {
  const input = new HeldInput();
  const hash = createHash('sha256');
  const detector = new Detector();
  const projector = createProjector({
    command: options.command,
    argument: '',
    stream: 'stdout',
    exit: options.exit,
    signal: null,
    maxTokens: options.maxTokens,
    literal: null,
    cutShort: false,
    origin: 'stdin',
  });
  for await (const chunk of source) {
    input.push(chunk);
    hash.update(chunk);
    detector.push(chunk);
    projector.push(chunk);
  }
  return {
    input,
    contentType: options.type ?? detector.type,
    sha256: hash.digest('hex'),
    projection: projector.finish(),
  };
}
