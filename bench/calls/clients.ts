import { startWorker } from '../processes.js';
import type { Shape } from './measured/client.js';
import type { WorkerCommand } from './measured/worker.js';
import type { Service } from './service/service.js';

/** What is known of a client before it is started. */
export interface Listed {
  readonly name: string;
  /** In measured/clients. */
  readonly file: string;
  /** The package that it measures. */
  readonly package: string;
  /** Headers that its writes must carry: what it is said to do besides must not be missing from its time. */
  readonly writesCarry?: readonly string[];
}

/** A client that has shown that it gets the right answers. */
export interface Client extends Listed {
  /** The directory in which its package is installed. */
  readonly project: string;
  /** What it has calls of. */
  readonly shapes: readonly Shape[];
}

export const FLOOR: Listed = { name: 'the floor', file: 'floor', package: 'undici' };

export const OURS: Listed = {
  name: 'partner-sdk',
  file: 'partner-sdk',
  package: 'partner-sdk',
  writesCarry: ['api-key', 'api-nonce', 'api-sign', 'idempotency-key'],
};

/** The partner-sdk of `--against`, in a project of its own. */
export const OTHER: Listed = { ...OURS, name: 'the other partner-sdk' };

/** Measured in every run. */
export const OWN: readonly Listed[] = [
  OURS,
  { name: 'the floor again', file: 'floor', package: 'undici' },
  { name: 'undici Pool.request', file: 'pool', package: 'undici' },
  { name: 'undici dispatch', file: 'dispatch', package: 'undici' },
];

/** Measured with `--peers`. */
export const PEERS: readonly Listed[] = [
  { name: 'stripe', file: 'stripe', package: 'stripe', writesCarry: ['idempotency-key'] },
  { name: 'ccxt', file: 'ccxt', package: 'ccxt', writesCarry: ['api-key', 'api-sign'] },
  { name: 'axios', file: 'axios', package: 'axios' },
  { name: 'openai', file: 'openai', package: 'openai' },
  { name: 'polar', file: 'polar', package: '@polar-sh/sdk' },
  { name: 'dynamodb', file: 'dynamodb', package: '@aws-sdk/client-dynamodb', writesCarry: ['authorization'] },
];

export async function allProven(listed: readonly Listed[], project: string, service: Service): Promise<Client[]> {
  const clients: Client[] = [];
  for (const one of listed) clients.push(await proven(one, project, service));
  return clients;
}

/** Starts it once and sees that the answers of all its shapes are right, and what its write sends; throws when that is not so. */
export async function proven(listed: Listed, project: string, service: Service): Promise<Client> {
  const worker = await startWorker({ ...listed, project }, service);
  try {
    const shapes = await worker.ask<Shape[]>({ command: 'prove' } satisfies WorkerCommand);
    checkHeaders(listed, (await service.counts()).lastHead);
    return { ...listed, project, shapes };
  } finally {
    await worker.stop();
  }
}

function checkHeaders({ name, writesCarry = [] }: Listed, head: string): void {
  const sent = head
    .toLowerCase()
    .split('\r\n')
    .map((line) => line.slice(0, line.indexOf(':')));
  const missing = writesCarry.filter((header) => !sent.includes(header));
  if (missing.length > 0) throw new Error(`${name}: a write without ${missing.join(', ')}`);
}
