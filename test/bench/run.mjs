// `npm run bench [-- --only NAME] [--runs N]`: see docs/numbers.md.
import { register } from 'node:module';

register('./typescript-loader.mjs', import.meta.url);
const { main } = await import('./main.ts');
process.exitCode = await main(process.argv.slice(2));
