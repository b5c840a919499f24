import { median, round, table, target } from '../lanes/figures.js';
import type { Scale } from '../scenarios.js';
import type { Held } from './memory.js';
import { reportOf, withService } from './processes.js';

const CLIENTS = 500;
const MAX_BYTES = 100_000;

export interface ClientsSetup {
  readonly url: string;
  readonly count: number;
}

/** Bytes for each client. */
export interface ClientsReport {
  /** Made, and not yet used. */
  readonly idle: Held;
  /** Each has made a call and holds its connection. */
  readonly used: Held;
  /** All have been closed. */
  readonly left: Held;
}

/** 500 clients in one process, one per API key, at one origin with the default transport. */
export async function clients({ rounds }: Scale): Promise<void> {
  const reports: ClientsReport[] = [];
  for (let index = 0; index < rounds; index++) {
    reports.push(await withService(1, (url) => reportOf<ClientsReport>('clients-process.ts', { url, count: CLIENTS })));
  }
  const middle = (state: keyof ClientsReport, part: keyof Held) => median(reports.map((report) => report[state][part]));
  const states = { idle: 'made', used: 'after a call', left: 'closed' } as const;
  table(
    (Object.keys(states) as (keyof ClientsReport)[]).map((state) => ({
      'bytes per client': states[state],
      heap: round(middle(state, 'heap')),
      outside: round(middle(state, 'outside')),
      resident: round(middle(state, 'resident')),
    })),
  );
  const used = middle('used', 'heap') + middle('used', 'outside');
  target(`a client that has made a call holds less than ${MAX_BYTES} bytes`, used < MAX_BYTES);
}
