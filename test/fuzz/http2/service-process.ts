import { type ChildProcess, fork } from 'node:child_process';
import type { Ledger, ServiceMessage } from './ledger.js';

/**
 * The service in a process of its own. Node 20's HTTP/2 server sometimes aborts when it says GOAWAY in the middle of
 * requests ("corrupted size vs. prev_size while consolidating"): that must not look like a fault of the client.
 */
export class ServiceProcess {
  readonly url: string;
  readonly ca: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, { url, ca }: { readonly url: string; readonly ca: string }) {
    this.#child = child;
    this.url = url;
    this.ca = ca;
  }

  /** Starts this program once more. */
  static async start(seed: number): Promise<ServiceProcess> {
    const child = fork(process.argv[1] ?? '', ['--serve', '--seed', String(seed)]);
    const said = await next(child);
    if (said?.type !== 'listening') throw new Error('the service did not start');
    return new ServiceProcess(child, said);
  }

  /** How the process has ended, unless it runs. */
  get ended(): string | undefined {
    const { exitCode, signalCode } = this.#child;
    return signalCode ?? (exitCode === null ? undefined : `code ${exitCode}`);
  }

  /** Undefined if the process has ended, and the ledger with it. */
  async takeLedger(): Promise<Ledger | undefined> {
    if (this.ended !== undefined) return undefined;
    this.#child.send('ledger');
    const said = await next(this.#child);
    return said?.type === 'ledger' ? said.ledger : undefined;
  }

  async stop(): Promise<void> {
    if (this.ended !== undefined) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.disconnect();
    await ended;
  }
}

/** The next thing that the process says; undefined when it ends before. */
function next(child: ChildProcess): Promise<ServiceMessage | undefined> {
  return new Promise((resolve) => {
    const over = () => settle(undefined);
    const settle = (message: ServiceMessage | undefined) => {
      child.off('message', settle).off('exit', over);
      resolve(message);
    };
    child.once('message', settle).once('exit', over);
  });
}
