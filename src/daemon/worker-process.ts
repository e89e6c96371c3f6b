import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { DaemonMessage, WorkerMessage } from '../protocol/jobs.ts';
import { productRoot } from '../runtime/paths.ts';

/** Asked this often while work is out; silent for this long, the worker hangs and is killed. */
const PING_MS = 1000;
const HANG_MS = 5000;
/** A worker that dies at once is not started in a tight loop. */
const RESTART_DELAY_MS = 250;

export interface WorkerEvents {
  message(message: WorkerMessage): void;
  /** Everything that was out is lost; a new worker is on its way. */
  died(how: string): void;
  ready(): void;
}

/** The worker child and its supervision. Messages sent before it is ready wait. */
export class WorkerProcess {
  restarts = 0;
  private child: ChildProcess | null = null;
  private isReady = false;
  private stopping = false;
  private waiting: DaemonMessage[] = [];
  private lastSign = 0;
  private readonly events: WorkerEvents;
  private readonly busy: () => boolean;
  private readonly pinger: NodeJS.Timeout;

  /** `busy`: whether answers are outstanding. */
  constructor(events: WorkerEvents, busy: () => boolean) {
    this.events = events;
    this.busy = busy;
    this.pinger = setInterval(() => this.ping(), PING_MS).unref();
    this.start();
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  send(message: DaemonMessage): void {
    if (this.isReady && this.child?.connected) this.child.send(message, () => {});
    else this.waiting.push(message);
  }

  /** Drops what was not sent yet. */
  dropWaiting(): void {
    this.waiting = [];
  }

  /** Resolves when the worker is gone; kills it after `timeoutMs`. */
  stop(timeoutMs: number): Promise<void> {
    this.stopping = true;
    clearInterval(this.pinger);
    const child = this.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
      child.once('exit', () => {
        clearTimeout(timer);
        resolve();
      });
      if (child.connected) child.send({ type: 'stop' } satisfies DaemonMessage, () => {});
      else child.kill('SIGTERM');
    });
  }

  private start(): void {
    if (this.stopping) return;
    this.isReady = false;
    const child = fork(join(productRoot(), 'dist', 'worker.js'), [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      cwd: '/',
    });
    this.child = child;
    this.lastSign = Date.now();
    child.on('message', (message) => this.receive(message as WorkerMessage));
    child.on('error', () => {});
    child.on('exit', (code, signal) => this.lost(child, signal ?? `exit ${code}`));
  }

  private receive(message: WorkerMessage): void {
    this.lastSign = Date.now();
    if (message.type === 'pong') return;
    if (message.type === 'ready') {
      this.isReady = true;
      for (const waiting of this.waiting.splice(0)) this.send(waiting);
      this.events.ready();
      return;
    }
    this.events.message(message);
  }

  private lost(child: ChildProcess, how: string): void {
    if (this.child !== child || this.stopping) return;
    this.child = null;
    this.isReady = false;
    this.restarts++;
    this.events.died(how);
    setTimeout(() => this.start(), RESTART_DELAY_MS).unref();
  }

  private ping(): void {
    if (!this.child || !this.busy()) {
      this.lastSign = Date.now();
      return;
    }
    if (Date.now() - this.lastSign > HANG_MS) this.child.kill('SIGKILL');
    else if (this.isReady && this.child.connected) this.child.send({ type: 'ping', n: 0 }, () => {});
  }
}
