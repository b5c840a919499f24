import { startWorker } from './calls/visit.js';
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
}

/** A client that has shown that it gets the right answers. */
export interface Client extends Listed {
  readonly project: string;
  /** What it has calls of. */
  readonly shapes: readonly Shape[];
}

export const FLOOR: Listed = { name: 'undici request + JSON.parse (the floor)', file: 'floor', package: 'undici' };

export const OURS: Listed = { name: 'partner-sdk', file: 'partner-sdk', package: 'partner-sdk' };

/** Measured in every run. */
export const OWN: readonly Listed[] = [
  OURS,
  { name: 'the floor again', file: 'floor', package: 'undici' },
  { name: 'undici request(url), global agent', file: 'request-url', package: 'undici' },
  { name: 'undici dispatch, own handler', file: 'dispatch', package: 'undici' },
];

/** Starts it once and sees that the answers of all its shapes are right. */
export async function proven(listed: Listed, project: string, service: Service): Promise<Client> {
  const worker = await startWorker({ ...listed, project }, service);
  try {
    const shapes = await worker.ask<Shape[]>({ command: 'prove' } satisfies WorkerCommand);
    return { ...listed, project, shapes };
  } finally {
    await worker.stop();
  }
}
