import { dispatch } from './dispatch.ts';

// The only exit point. A tokenizer thread or a socket that is still open must not hold the answer back.
process.exit(await dispatch(process.argv.slice(2)));
