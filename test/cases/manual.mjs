// The `manual` lines of the cases that a program can check. Each function gives [what, ok, detail] rows.
import { createHash } from 'node:crypto';
import { chownSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { agentEnv, captures, cases, daemon, lastHandle, peakResident, run, runBeside } from './place.mjs';

const sha = (bytes) => createHash('sha256').update(bytes).digest('hex');
const caveman = (place, ...args) => run(place, ['caveman', ...args]);
const inCase = (id) => ({ cwd: join(cases, id) });
const commandOf = (place, id) => run(place, ['cat', join(cases, id, 'cmd.sh')]).out.toString('utf8');

function seconds(wrapped, bare) {
  return `wrapped ${(wrapped / 1000).toFixed(1)} s, bare ${(bare / 1000).toFixed(1)} s`;
}

export const manual = {
  C10(place) {
    const bare = run(place, ['bash', 'cmd.sh'], inCase('C10'));
    const wrapped = run(place, ['caveman', 'run', '--', 'bash', 'cmd.sh'], inCase('C10'));
    return [['at most 5 s more than bare', wrapped.ms - bare.ms <= 5000, seconds(wrapped.ms, bare.ms)]];
  },

  C38(place) {
    const text = commandOf(place, 'C38');
    return ['bash', 'zsh'].flatMap((shell) => {
      const bare = run(place, [shell, '-c', text]);
      const before = captures(place).length;
      const hooked = run(place, [shell, '-c', text], { env: agentEnv(place) });
      const taken = captures(place).length - before;
      return [
        [
          `${shell} -c of the hooked text: output and status as bare`,
          same(hooked, bare),
          `exit ${hooked.code}, bare ${bare.code}`,
        ],
        [`${shell} -c of the hooked text: captured once`, taken === 1, `${taken} captures`],
      ];
    });
  },

  C42(place) {
    const names = {
      term: /SIGTERM|\b15\b/,
      kill: /SIGKILL|\b9\b/,
      segv: /SIGSEGV|\b11\b/,
      abrt: /SIGABRT|\b6\b/,
    };
    return Object.entries(names).map(([mode, name]) => {
      const { out } = run(place, ['caveman', 'run', '--', 'bash', 'cmd.sh', mode], inCase('C42'));
      return [
        `${mode}: the view names the signal`,
        name.test(out.toString('utf8')),
        JSON.stringify(out.toString('utf8')),
      ];
    });
  },

  C44(place) {
    const next = caveman(place, 'run', '--', 'echo', 'next');
    return [
      ['late output is not glued to the next view', next.out.toString() === 'next\n', next.out.toString()],
    ];
  },

  C47(place) {
    daemon(place, 'restart');
    const bare = run(place, ['bash', 'cmd.sh'], inCase('C47'));
    const wrapped = run(place, ['caveman', 'run', '--', 'bash', 'cmd.sh'], inCase('C47'));
    const peak = peakResident(place);
    return [
      ['at most 30 s more than bare', wrapped.ms - bare.ms <= 30_000, seconds(wrapped.ms, bare.ms)],
      [
        'peak RSS of daemon and worker under 400 MiB',
        peak > 0 && peak < 400 * 1024,
        `${Math.round(peak / 1024)} MiB`,
      ],
    ];
  },

  async C53(place) {
    return process.getuid() === 0 ? [...otherUser(place), ...(await foreignSocket(place))] : [];
  },

  C54(place) {
    const view = run(place, ['caveman', 'run', '--', 'bash', 'cmd.sh'], inCase('C54')).out;
    const handle = lastHandle(view);
    const original = sha(caveman(place, 'expand', handle).out);
    const is = (bytes) => sha(bytes) === original;
    const hooked = (line) => run(place, ['bash', '-c', line], { env: agentEnv(place) }).out;
    const rows = [
      ['run of expand is exact', is(caveman(place, 'run', '--', 'caveman', 'expand', handle).out)],
      ['hooked expand is exact', is(hooked(`caveman expand ${handle}`))],
      ['hooked expand through a pipe is exact', is(hooked(`caveman expand ${handle} | cat`))],
      [
        'a view compressed again is the same',
        same(run(place, ['caveman', 'compress', '--quiet'], { input: view }), { code: 0, out: view }),
      ],
    ];
    daemon(place, 'restart');
    rows.push(['after a daemon restart expand is exact', is(caveman(place, 'expand', handle).out)]);
    return rows.map(([what, ok]) => [what, ok && handle !== '', handle || 'no handle in the view']);
  },

  C55(place) {
    const done = caveman(place, 'expand', 'ccr_00000000000000000000');
    const ok = done.code !== 0 && done.out.length === 0;
    return [
      ['a made-up handle: non-zero, nothing on stdout', ok, `exit ${done.code}, ${done.out.length} bytes`],
    ];
  },
};

function same(a, b) {
  return a.code === b.code && a.out.equals(b.out);
}

/** Another user who connects to the socket gets an error or a closed connection, never an answer. */
function otherUser(place) {
  const script = `const s=require('net').connect(process.argv[1]);let n=0;s.on('data',d=>n+=d.length);
    s.on('error',()=>{});s.on('connect',()=>s.write('GET / HTTP/1.1\\r\\nHost: x\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\nSec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\\r\\n\\r\\n'));
    s.setTimeout(3000,()=>s.destroy());s.on('close',()=>process.exit(n?1:0))`;
  const as = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
  const done = run(place, [...as, process.execPath, '-e', script, place.socket]);
  return [['uid 65534 gets no answer from the socket', done.code === 0, `exit ${done.code} ${done.err}`]];
}

/** A socket that another user owns stands where ours should: nobody talks to it, and commands run. */
async function foreignSocket(place) {
  const home = join(place.dir, 'foreign');
  mkdirSync(join(home, 'run'), { recursive: true, mode: 0o700 });
  const socket = join(home, 'run/caveman.sock');
  let met = 0;
  const server = createServer((peer) => {
    met++;
    peer.destroy();
  });
  await new Promise((resolve) => server.listen(socket, resolve));
  chownSync(socket, 65534, 65534);
  const env = { ...place.env, CAVEMAN_HOME: home };
  const ran = await runBeside(place, ['caveman', 'run', '--', 'echo', 'hi'], env);
  const listed = await runBeside(place, ['caveman', 'list'], env);
  await new Promise((resolve) => server.close(resolve));
  run(place, ['caveman', 'daemon', 'stop'], { env });
  return [
    [
      'foreign-owned socket: the command runs',
      ran.code === 0 && ran.out.toString() === 'hi\n',
      ran.out.toString(),
    ],
    [
      'foreign-owned socket: nobody talks to it',
      met === 0 && listed.code !== 0,
      `${met} connections, exit ${listed.code}`,
    ],
  ];
}
