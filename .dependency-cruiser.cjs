// The arrows of the design: protocol and engine are a pure ring; archive, pty and client stand on it;
// worker, daemon and cli stand on those. `npm run check:arrows` refuses any other import.
const within = (names) => `^src/(${names.join('|')})/`;
const node =
  '^(node:)?(fs|fs/promises|net|http|https|child_process|process|os|tty|worker_threads|timers|timers/promises|perf_hooks)$';
const only = (name, owners) => ({
  name: `only-${owners.join('-')}-imports-${name.replace(/\W+/g, '-')}`,
  severity: 'error',
  from: { path: '^src/', pathNot: within(owners) },
  to: { path: `(^|/)node_modules/${name}/` },
});
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'pure-ring-no-io',
      severity: 'error',
      from: { path: within(['protocol', 'engine']) },
      to: { path: node },
    },
    {
      name: 'pure-ring-no-outer',
      severity: 'error',
      from: { path: within(['protocol', 'engine']) },
      to: { path: '^src/', pathNot: within(['protocol', 'engine']) },
    },
    {
      name: 'protocol-not-engine',
      severity: 'error',
      from: { path: within(['protocol']) },
      to: { path: within(['engine']) },
    },
    {
      name: 'middle-ring',
      severity: 'error',
      from: { path: within(['archive', 'pty', 'client']) },
      to: { path: within(['worker', 'daemon', 'cli']) },
    },
    {
      name: 'archive-alone',
      severity: 'error',
      from: { path: within(['archive']) },
      to: { path: within(['pty', 'client', 'engine']) },
    },
    {
      name: 'pty-alone',
      severity: 'error',
      from: { path: within(['pty']) },
      to: { path: within(['archive', 'client', 'engine']) },
    },
    {
      name: 'client-light',
      severity: 'error',
      from: { path: within(['client']) },
      to: { path: within(['archive', 'pty', 'engine']) },
    },
    {
      name: 'daemon-light',
      severity: 'error',
      from: { path: within(['daemon']) },
      to: { path: within(['archive', 'engine', 'cli', 'worker']) },
    },
    {
      name: 'worker-alone',
      severity: 'error',
      from: { path: within(['worker']) },
      to: { path: within(['daemon', 'cli', 'pty']) },
    },
    {
      name: 'cli-not-worker',
      severity: 'error',
      from: { path: within(['cli']) },
      to: { path: within(['worker', 'daemon', 'archive', 'pty']) },
    },
    {
      name: 'runtime-low',
      severity: 'error',
      from: { path: within(['runtime', 'config']) },
      to: { path: '^src/', pathNot: within(['runtime', 'config', 'protocol']) },
    },
    { name: 'product-not-test', severity: 'error', from: { path: '^src/' }, to: { path: '^test/' } },
    only('lmdb', ['archive']),
    only('(@lydell/)?node-pty', ['pty']),
    only('js-tiktoken', ['worker', 'runtime']),
    only('pino', ['runtime']),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
  },
};
