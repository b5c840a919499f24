import type { Client } from './clients.js';
import type { Sample, Visit } from './visit.js';

/** How many clients are visited between two visits of the floor. */
const BETWEEN_FLOORS = 4;

/** A client's sample of one round beside the floor's of the same minute. */
export interface Pair {
  readonly client: Sample;
  /** Of the visit of the floor before the client's and the one after it. */
  readonly floor: readonly [Sample, Sample];
}

/** By client and cell, one pair for each round. */
export type Rounds = ReadonlyMap<string, ReadonlyMap<string, readonly Pair[]>>;

/**
 * Visits the clients in turn, and the floor again and again between them: the machine's speed drifts. The order rotates from round to
 * round, and every other round goes backwards.
 */
export async function measureRounds(
  floor: Client,
  clients: readonly Client[],
  rounds: number,
  visit: (client: Client) => Promise<Visit>,
): Promise<Rounds> {
  const pairs = new Map(clients.map(({ name }) => [name, new Map<string, Pair[]>()]));
  let before = await visit(floor);
  for (let round = 0; round < rounds; round++) {
    for (const group of groupsOf(orderOf(clients, round, rounds))) {
      const visits: [string, Visit][] = [];
      for (const client of group) visits.push([client.name, await visit(client)]);
      const after = await visit(floor);
      for (const [name, visited] of visits) addPairs(pairs.get(name) ?? new Map(), visited, before, after);
      before = after;
    }
    console.error(`round ${round + 1} of ${rounds}`);
  }
  return pairs;
}

function orderOf(clients: readonly Client[], round: number, rounds: number): Client[] {
  const first = Math.floor((round * clients.length) / rounds);
  const order = [...clients.slice(first), ...clients.slice(0, first)];
  return round % 2 === 0 ? order : order.reverse();
}

function groupsOf(clients: readonly Client[]): Client[][] {
  const count = Math.ceil(clients.length / BETWEEN_FLOORS);
  return Array.from({ length: count }, (_, index) =>
    clients.slice(index * BETWEEN_FLOORS, (index + 1) * BETWEEN_FLOORS),
  );
}

function addPairs(pairs: Map<string, Pair[]>, visited: Visit, before: Visit, after: Visit): void {
  for (const [cell, client] of visited) {
    const floor = [before.get(cell), after.get(cell)];
    if (floor[0] === undefined || floor[1] === undefined) throw new Error(`the floor has no ${cell}`);
    pairs.set(cell, [...(pairs.get(cell) ?? []), { client, floor: [floor[0], floor[1]] }]);
  }
}
