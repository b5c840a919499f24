import { isIPv6 } from 'node:net';
import type { Sandbox } from 'partner-sdk/sandbox';
import { systemCode } from '../../util/system-error.js';
import { Failure, reasonOf } from './failure.js';
import { DEFAULT_PORT } from './flags.js';

/** Every address of the machine; programs on it use its loopback. */
const WILDCARDS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export interface Address {
  /** Where a program on this machine finds the sandbox. */
  readonly url: string;
  /** Whether programs on other machines find it, too. */
  readonly isPublic: boolean;
}

/** Listens on the port that was asked for, else on the default or any free one. Throws a `Failure` when it cannot. */
export async function listen(sandbox: Sandbox, host: string, port: number | undefined): Promise<Address> {
  const { port: taken } = await listenOn(sandbox, host, port);
  const name = WILDCARDS[host] ?? host;
  return { url: `http://${isIPv6(name) ? `[${name}]` : name}:${taken}`, isPublic: !isLoopback(host) };
}

async function listenOn(sandbox: Sandbox, host: string, wanted: number | undefined): Promise<{ port: number }> {
  const port = wanted ?? DEFAULT_PORT;
  try {
    return await sandbox.listen({ port, host });
  } catch (error) {
    if (systemCode(error) !== 'EADDRINUSE') throw new Failure(1, `${reasonOf(error)}. Choose another --host or --port`);
    if (wanted === undefined) return listenOn(sandbox, host, 0);
    throw new Failure(1, `port ${port} of ${host} is taken: choose another with --port, or any free one with --port 0`);
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}
