import { type Cell, cellsNamed } from './cells.js';
import { allProven, type Listed } from './clients.js';
import type { Options } from './options.js';
import { measureRounds } from './rounds.js';
import { Service } from './service/service.js';
import { type CallsSummary, floorOf, summarise } from './summary.js';
import { type Sample, visit } from './visit.js';

/** The cell that is measured over TLS. */
export const TLS_CELL = cellsNamed('quote:64').find(({ age }) => age === 'warm') as Cell;

/** What the others are held against, over TLS. */
export const TLS_FLOOR: Listed = { name: 'undici Pool, HTTP/1.1', file: 'pool', package: 'undici' };

const TLS_CLIENTS: readonly Listed[] = [
  { name: 'undici Pool, HTTP/2', file: 'pool-http2', package: 'undici' },
  { name: 'partner-sdk, HTTP/1.1 (http2: false)', file: 'partner-sdk-http1', package: 'partner-sdk' },
  { name: 'partner-sdk, HTTP/2 (the default)', file: 'partner-sdk', package: 'partner-sdk' },
];

/** The figures of calls over TLS. */
export interface TlsFigures {
  readonly calls: CallsSummary;
  readonly floor: ReadonlyMap<string, Sample>;
}

/** Measures quotes over TLS, by HTTP/1.1 and by HTTP/2. */
export async function measureTls(
  project: string,
  { rounds, durations }: Pick<Options, 'rounds' | 'durations'>,
): Promise<TlsFigures> {
  console.error('TLS');
  const service = await Service.startOverTls(project);
  try {
    const [floor, ...clients] = await allProven([TLS_FLOOR, ...TLS_CLIENTS], project, service);
    if (floor === undefined) throw new Error('no floor');
    const measured = await measureRounds(floor, clients, rounds, (client) =>
      visit(client, [TLS_CELL], service, durations),
    );
    return { calls: summarise(measured), floor: floorOf(measured) };
  } finally {
    await service.stop();
  }
}
