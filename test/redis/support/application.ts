import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { program } from '../../support/processes/program.js';
import { certificateFile, LOCAL } from '../../support/tls.js';
import type { Calls, Message, Order, Setup } from './messages.js';

const TRUSTED = certificateFile(LOCAL.cert);
const WORKER = program('test/redis/support/worker.ts');

/** Processes that have nothing to do: starting one takes a while. */
const idle: ApplicationProcess[] = [];
const all = new Set<ApplicationProcess>();

/** A process of an application, as it is seen from outside. */
export class ApplicationProcess {
  readonly #child: ChildProcess;
  readonly #messages: Message[] = [];
  readonly #listeners = new Set<() => void>();

  constructor() {
    this.#child = fork(WORKER, {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...process.env, NODE_EXTRA_CA_CERTS: TRUSTED },
    });
    this.#child.on('message', (message: Message) => {
      this.#messages.push(message);
      for (const listener of this.#listeners) listener();
    });
    this.#child.on('error', () => {});
    all.add(this);
  }

  /** What must not have happened. */
  get incidents(): string[] {
    return this.#messages.flatMap((message) => (message.type === 'incident' ? [message.text] : []));
  }

  async setUp(setup: Omit<Setup, 'type'>): Promise<void> {
    this.#tell({ type: 'setup', ...setup });
    await this.heard('setup');
  }

  async calls(count: number, parallel: number): Promise<Calls> {
    this.#tell({ type: 'calls', count, parallel });
    return (await this.heard('calls')) as Calls;
  }

  sign(): void {
    this.#tell({ type: 'sign' });
  }

  /** Closes its client; the process may be used again. */
  async close(): Promise<void> {
    this.#tell({ type: 'close' });
    await this.heard('closed');
    idle.push(this);
  }

  async kill(): Promise<void> {
    all.delete(this);
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }

  pause(): void {
    this.#child.kill('SIGSTOP');
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }

  /** The next message of this kind. */
  async heard(type: Message['type']): Promise<Message> {
    for (;;) {
      const at = this.#messages.findIndex((message) => message.type === type);
      if (at >= 0) return this.#messages.splice(at, 1)[0] as Message;
      await new Promise<void>((resolve) => {
        const listener = () => {
          this.#listeners.delete(listener);
          resolve();
        };
        this.#listeners.add(listener);
      });
    }
  }

  #tell(order: Order): void {
    this.#child.send(order, () => {});
  }
}

/** So many processes, ready to be set up. */
export async function processes(count: number): Promise<ApplicationProcess[]> {
  const taken = idle.splice(0, count);
  const started = Array.from({ length: count - taken.length }, () => new ApplicationProcess());
  await Promise.all(started.map((one) => one.heard('ready')));
  return [...taken, ...started];
}

export async function endAll(): Promise<void> {
  await Promise.all([...all].map((one) => one.kill()));
}
