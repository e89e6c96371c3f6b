// Run as a process of its own by archive-kill.test.ts: archives without end and prints each handle with the
// seed of its bytes, once it is sealed.
import { writeSync } from 'node:fs';
import { openArchive } from '../../src/archive/open.ts';
import { factsOf, LIMITS, noise } from '../unit/archive-bytes.ts';

const [dir, first, count] = process.argv.slice(2);
const archive = openArchive(dir!, LIMITS, Date.now);
for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
  const writer = archive.writer();
  // Every fourth is large enough to be stored in several commits.
  await writer.write('stdout', noise(seed % 4 === 0 ? 3_000_000 : 5000, seed));
  const { handle } = await writer.seal(factsOf({ id: seed.toString(16).padStart(16, '0') }));
  writeSync(1, `${handle} ${seed}\n`);
}
await archive.close();
writeSync(1, 'closed\n');
