import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CaptureFacts } from '../../src/protocol/capture.ts';
import type { DaemonMessage, SpooledStream, StreamView, WorkerMessage } from '../../src/protocol/jobs.ts';

const ENTRY = fileURLToPath(new URL('../../dist/worker.js', import.meta.url));

/** A worker under a temporary CAVEMAN_HOME; the test is its daemon. */
export class WorkerUnderTest {
  readonly home: string;
  readonly messages: WorkerMessage[] = [];
  child!: ChildProcess;
  #listeners: ((ended?: string) => void)[] = [];
  #jobs = 0;

  constructor() {
    this.home = mkdtempSync(join(tmpdir(), 'caveman-worker-'));
    mkdirSync(join(this.home, 'spool'));
  }

  /** Starts (again) and resolves on `ready`. */
  async start(): Promise<void> {
    const env = { ...process.env, CAVEMAN_HOME: this.home };
    const child = fork(ENTRY, [], {
      env,
      serialization: 'advanced',
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.child = child;
    this.messages.length = 0;
    child.on('message', (message: WorkerMessage) => {
      if (message.type === 'askStatus') this.send({ type: 'daemonStatus', job: message.job, status: STATUS });
      this.messages.push(message);
      for (const listener of [...this.#listeners]) listener();
    });
    child.on('exit', (code, signal) => {
      if (this.child !== child) return;
      for (const listener of [...this.#listeners]) listener(String(signal ?? code));
    });
    await this.until((message) => message.type === 'ready');
  }

  send(message: DaemonMessage): void {
    this.child.send(message);
  }

  /** The first message, past or future, that fits. */
  until<T extends WorkerMessage>(fits: (message: WorkerMessage) => message is T): Promise<T>;
  until(fits: (message: WorkerMessage) => boolean): Promise<WorkerMessage>;
  until(fits: (message: WorkerMessage) => boolean): Promise<WorkerMessage> {
    return new Promise((resolve, reject) => {
      const look = (ended?: string): void => {
        const found = this.messages.find(fits);
        if (!found && ended === undefined) return;
        this.#listeners = this.#listeners.filter((listener) => listener !== look);
        if (found) resolve(found);
        else reject(new Error(`the worker ended: ${ended}`));
      };
      this.#listeners.push(look);
      look();
    });
  }

  spool(name: SpooledStream['name'], bytes: Uint8Array | string): SpooledStream {
    const path = join(this.home, 'spool', randomBytes(8).toString('hex'));
    writeFileSync(path, bytes);
    return { name, path, bytes: Buffer.byteLength(bytes) };
  }

  /** Sends a `project` job and gives its answer once the capture is stored. */
  async project(
    streams: SpooledStream[],
    facts: Partial<CaptureFacts> = {},
    view: Partial<Extract<DaemonMessage, { type: 'project' }>['view']> = {},
  ): Promise<{ stdout: StreamView; stderr: StreamView | null }> {
    const job = ++this.#jobs;
    this.send({
      type: 'project',
      job,
      facts: { ...someFacts(), ...facts },
      streams,
      view: { format: 'text', onPath: true, announce: false, deliver: true, shownWhole: '', ...view },
    });
    const answer = await this.until(
      (message): message is Extract<WorkerMessage, { type: 'projected' | 'failed' }> =>
        (message.type === 'projected' || message.type === 'failed') && message.job === job,
    );
    if (answer.type === 'failed') throw new Error(answer.reason);
    await this.until((message) => message.type === 'stored' && message.job === job);
    return answer;
  }

  exited(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return Promise.resolve();
    return new Promise((resolve) => this.child.once('exit', () => resolve()));
  }

  async stop(): Promise<void> {
    const exited = this.exited();
    if (this.child.connected) this.child.send({ type: 'stop' });
    await exited;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.home, { recursive: true });
  }
}

export function someFacts(): CaptureFacts {
  return {
    id: randomBytes(8).toString('hex'),
    command: 'make',
    commandBytes: 4,
    argument: '',
    cwd: '/tmp',
    agent: 'CODEX_CI',
    session: 's1',
    startedAtMs: Date.now(),
    durationMs: 5,
    exit: 0,
    signal: null,
    mode: 'pty',
    flags: { killed: false, raw: false, literal: false },
  };
}

export function textOf(view: StreamView | null): string {
  if (view?.kind !== 'text') throw new Error('not a text view');
  return new TextDecoder().decode(view.text);
}

export const STATUS = {
  pid: process.pid,
  version: '0.0.0-test',
  startedAtMs: 1,
  runningCaptures: 0,
  freeTickets: 8,
  ptyPackage: 'none',
  workerRestarts: 0,
  servedCaptures: 0,
};
