import type { Node } from '../nodes.js';
import { MeasuredProcess } from '../processes.js';
import type { WorkerCommand } from './measured/worker.js';
import type { Service } from './service/service.js';

/** A client that is measured. */
export interface Client {
  readonly name: string;
  /** In measured/clients. */
  readonly file: string;
  /** The directory in which its package is installed. */
  readonly project: string;
  /** Headers that its writes must carry: what it is said to do besides must not be missing from its time. */
  readonly writesCarry?: readonly string[];
}

/** Clients that are held against a floor, in one Node. */
export interface Contest {
  readonly node: Node;
  readonly service: Service;
  /** What the others are held against, twice: how far the two are apart is chance. */
  readonly floors: readonly [Client, Client];
  /** Each partner-sdk, the one first that the others are held against as well. */
  readonly ours: readonly Client[];
  readonly others: readonly Client[];
}

/** Where the packages are installed. */
export interface Projects {
  readonly packages: readonly { readonly name: string; readonly project: string }[];
  readonly stripe: string;
}

const CARRIED = ['api-key', 'api-nonce', 'api-sign', 'idempotency-key'];

export function contest(node: Node, service: Service, { packages, stripe }: Projects): Contest {
  const floor = { name: 'the floor', file: 'floor', project: packages[0]?.project ?? stripe };
  return {
    node,
    service,
    floors: [floor, { ...floor, name: 'the floor again' }],
    ours: packages.map((one) => ({ ...one, file: 'partner-sdk', writesCarry: CARRIED })),
    others: [{ name: 'stripe', file: 'stripe', project: stripe, writesCarry: ['idempotency-key'] }],
  };
}

/** HTTP/1.1 and HTTP/2 over TLS. */
export function tlsContest(node: Node, service: Service, { packages, stripe }: Projects): Contest {
  const [{ project } = { project: stripe }] = packages;
  const floor = { name: 'undici Pool, HTTP/1.1', file: 'pool', project };
  return {
    node,
    service,
    floors: [floor, { ...floor, name: 'the same again' }],
    ours: [{ name: 'partner-sdk, HTTP/2', file: 'partner-sdk', project, writesCarry: CARRIED }],
    others: [
      { name: 'partner-sdk, HTTP/1.1 (http2: false)', file: 'partner-sdk-http1', project },
      { name: 'undici Pool, HTTP/2', file: 'pool-http2', project },
    ],
  };
}

export const clientsOf = ({ floors, ours, others }: Contest): Client[] => [...floors, ...ours, ...others];

/** Starts the process that measures one client. */
export async function startWorker({ file, project }: Client, { node, service }: Contest): Promise<MeasuredProcess> {
  const worker = `${project}/measured/worker.js`;
  const args = [file, service.origin];
  return (await MeasuredProcess.start('client', worker, args, service.env, node.command)).process;
}

/** Starts each client once and sees that all its answers are right, and what its write sends; throws when that is not so. */
export async function prove(contest: Contest): Promise<void> {
  for (const client of clientsOf(contest)) {
    const worker = await startWorker(client, contest);
    try {
      await worker.ask({ command: 'prove' } satisfies WorkerCommand);
      checkHeaders(client, (await contest.service.counts()).lastHead);
    } finally {
      await worker.stop();
    }
  }
}

function checkHeaders({ name, writesCarry = [] }: Client, head: string): void {
  const sent = head
    .toLowerCase()
    .split('\r\n')
    .map((line) => line.slice(0, line.indexOf(':')));
  const missing = writesCarry.filter((header) => !sent.includes(header));
  if (missing.length > 0) throw new Error(`${name}: a write without ${missing.join(', ')}`);
}
