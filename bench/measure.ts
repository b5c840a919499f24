import { measurePeakMemory } from './calls/memory.js';
import { measureRounds } from './calls/rounds.js';
import { floorOf, summarise } from './calls/summary.js';
import { visit } from './calls/visit.js';
import { type Client, FLOOR, OURS } from './clients.js';
import { measureCompile } from './compile/compile.js';
import type { Options } from './options.js';
import type { Results } from './report/results.js';
import type { Service } from './service/service.js';
import { type InstalledSize, installedSize } from './size/installed.js';
import { measureStart } from './start/start.js';

/** All that the options ask for, of the floor and the other clients. */
export async function measure(
  floor: Client,
  clients: readonly Client[],
  service: Service,
  options: Options,
): Promise<Results> {
  const rounds = await measureRounds(floor, clients, options.scale.rounds, (client) =>
    visit(client, options.cells, service, options.scale.durations),
  );
  const calls = {
    cells: options.cells,
    rounds: options.scale.rounds,
    calls: summarise(rounds),
    floor: floorOf(rounds),
  };
  return options.callsOnly ? calls : { ...calls, ...(await footprint(floor, clients, service, options)) };
}

/** Of each package once: the floor stands for undici. */
async function footprint(
  floor: Client,
  clients: readonly Client[],
  service: Service,
  { scale }: Options,
): Promise<Pick<Results, 'footprint' | 'compile'>> {
  const packages = [floor, ...clients.filter((client) => client.package !== FLOOR.package)];
  console.error('memory');
  const peakMemory = await measurePeakMemory(packages, service, scale.memory);
  console.error('start');
  const start = measureStart(floor, packages, service.origin, scale.starts);
  const sizes = new Map(
    packages.map((client): [string, InstalledSize] => [client.name, installedSize(client.project, client.package)]),
  );
  const compile = clients.some(({ name }) => name === OURS.name)
    ? measureCompile(floor.project, scale.compilations)
    : undefined;
  return { footprint: { peakMemory, start, sizes }, compile };
}
