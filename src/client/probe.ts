import { CavemanError } from '../protocol/errors.ts';
import { connect } from './connect.ts';

/** What stands behind the socket's path. `problem` is one line for a person; '' when up. */
export interface Probe {
  /** `foreign`: somebody else's path, or a daemon of another version: never talk to it. */
  state: 'up' | 'down' | 'hung' | 'foreign';
  problem: string;
}

/** Finds out, within `timeoutMs`, whether the daemon answers. Changes nothing. */
export async function probe(options: { timeoutMs?: number } = {}): Promise<Probe> {
  try {
    const client = await connect(options);
    await client.close();
    return { state: 'up', problem: '' };
  } catch (error) {
    if (!(error instanceof CavemanError)) throw error;
    return { state: stateOf(error), problem: error.message };
  }
}

function stateOf(error: CavemanError): Probe['state'] {
  switch (error.code) {
    case 'daemon-hung':
      return 'hung';
    case 'foreign-path':
    case 'version-mismatch':
      return 'foreign';
    default:
      return 'down';
  }
}
