import type { RequestDetails } from '../../../../sandbox/drive/requests/details.js';
import type { SandboxHealth } from '../../../../sandbox/drive/requests/watching.js';
import type { TimelineEntry } from '../../../../sandbox/drive/timeline/entries.js';
import { read } from '../../../wire/api.js';

/** A request with what was sent and answered, as far as the sandbox still has it. */
export type ExportedRequest = Omit<RequestDetails, 'replays' | 'effects'>;

export type Exported = Exclude<TimelineEntry, { kind: 'request' }> | ExportedRequest;

/** Contents of a file to write. */
export interface Gathered {
  readonly sandbox: Pick<SandboxHealth, 'version' | 'seed' | 'now'>;
  /** Oldest first. */
  readonly entries: readonly Exported[];
}

/** Readings that are under way at once. */
const PARALLEL = 6;

/** Reads what was sent and answered of each request. */
export async function gather(shown: readonly TimelineEntry[], onStep: (done: number) => void): Promise<Gathered> {
  const { version, seed, now } = await read<SandboxHealth>('health');
  const entries: Exported[] = [...shown].sort((one, other) => one.seq - other.seq);
  // The sandbox keeps the bodies of the newest: older ones need no reading.
  const wanted = entries.flatMap(({ kind }, index) => (kind === 'request' ? [index] : [])).slice(-KEPT_REQUESTS);
  let [next, done] = [0, 0];
  const readOn = async (): Promise<void> => {
    for (;;) {
      const index = wanted[next];
      next += 1;
      if (index === undefined) return;
      const entry = entries[index];
      if (entry !== undefined) entries[index] = await detailed(entry);
      done += 1;
      if (done % 50 === 0) onStep(done);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, readOn));
  return { sandbox: { version, seed, now }, entries };
}

/** As many as the sandbox keeps with their bodies. */
const KEPT_REQUESTS = 1_000;

async function detailed(entry: Exported): Promise<Exported> {
  // It may be forgotten by now.
  const details = await read<RequestDetails>(`journal/${entry.seq}`).catch(() => undefined);
  if (details === undefined) return entry;
  const { replays: _, effects: __, ...rest } = details;
  return rest;
}
