import type { Client } from '../../src/client/client.ts';
import { connect } from '../../src/client/connect.ts';
import { CavemanError } from '../../src/protocol/errors.ts';
import type { CaptureRow, Selection } from '../../src/protocol/requests.ts';

const ATTEMPTS = 20_000;

/** A client of the daemon of `home`, also while its worker is being replaced. One home at a time in a test file. */
export async function clientOf(home: string): Promise<Client> {
  process.env['CAVEMAN_HOME'] = home;
  for (let attempt = 0; ; attempt++) {
    try {
      return await connect({ timeoutMs: 20_000 });
    } catch (error) {
      const down = error instanceof CavemanError && error.code === 'daemon-down';
      if (!down || attempt === ATTEMPTS) throw error;
      await nextTurn();
    }
  }
}

/** The bytes that `expand` gives. */
export async function bytesOf(client: Client, handle: string, select: Selection = {}): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  await client.expand({ handle, select }, (chunk) => void chunks.push(chunk));
  return Buffer.concat(chunks);
}

/** The newest captures, asked for until they are as `wanted` says: what is archived late is awaited. */
export async function capturesOnce(
  client: Client,
  wanted: (captures: CaptureRow[]) => boolean,
): Promise<CaptureRow[]> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { captures } = await client.request('list', { limit: 10_000 });
    if (wanted(captures)) return captures;
    await nextTurn();
  }
  throw new Error('the archive never came to hold what was wanted');
}

/** The handle that a footer names; null where the original went through. */
export function handleIn(text: string): string | null {
  return /\[[^\n]*caveman expand (cv[0-9a-z]{8,})\]\n$/.exec(text)?.[1] ?? null;
}

/** What programs print on a PTY or a pipe: lines of one kind, enough of them to be shortened. */
export function chatter(tag: string, lines: number): string {
  return Array.from({ length: lines }, (_, i) => `${tag} step ${i} compiled without a word\n`).join('');
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
