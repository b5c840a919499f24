import { once } from 'node:events';
import type { Scale } from '../../scenarios.js';
import { Backend, USUAL } from '../backend.js';
import { reply, start } from '../child.js';
import { median, round, table, target } from '../figures.js';

const MAX_BYTES = 2_000;

/** What the child reports. */
export interface HeapReport {
  /** Bytes of heap that each waiting call costs. */
  readonly perCall: number;
  /** Bytes per call that are still held when all have been aborted. */
  readonly left: number;
}

/** Bytes of heap per call that waits in a lane, in a process of its own whose garbage is collected before each look. */
export async function waiting({ rounds }: Pick<Scale, 'rounds'>): Promise<void> {
  // Nothing is answered while the calls are counted.
  const backend = await Backend.start({ behaviour: { ...USUAL, answer: [600_000, 600_000] } });
  const reports: HeapReport[] = [];
  for (let index = 0; index < rounds; index++) reports.push(await look(backend.url));
  await backend.stop();
  const perCall = median(reports.map((report) => report.perCall));
  table([
    {
      'bytes per waiting call': round(perCall),
      'left after all were aborted': round(median(reports.map(({ left }) => left))),
    },
  ]);
  target(`a waiting call holds less than ${MAX_BYTES} bytes`, perCall < MAX_BYTES);
}

async function look(url: string): Promise<HeapReport> {
  const child = start('waiting-process.ts', url, ['--expose-gc']);
  const report = await reply<HeapReport>(child);
  await once(child, 'exit');
  return report;
}
