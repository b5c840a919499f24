import { expect, test } from 'vitest';
import type { Sandbox, SandboxResource } from '../../../src/sandbox/index.js';
import { METHODS } from '../../../src/sandbox/serve/control/control-routes.js';
import type { DirectPartner } from '../support/direct-partner.js';
import { busyEverywhere } from './support/busy.js';

const DAY_MS = 86_400_000;

/** Kinds without moves: what the API alone makes, and what needs more than the id to change. */
const WITHOUT_MOVES = ['users', 'fundingAddresses', 'limits', 'assets'];

type Move = SandboxResource['moves'][number];

const call = (sandbox: Sandbox, { method, args }: Move): unknown =>
  METHODS.get(method.replaceAll('.', '/'))?.call(sandbox, args, new AbortController().signal);

/** Executes what is offered; leaves all else. */
async function execute(partner: DirectPartner, kind: string, { id, status }: SandboxResource): Promise<void> {
  const { sandbox, account } = partner;
  if (kind === 'quotes' && status === 'offered') await partner.post(`${account}/quotes/${id}/execute`);
  if (kind !== 'onchainQuotes') return;
  if (status === 'pending') sandbox.onchainQuotes.offer(id);
  if (sandbox.resources.get(kind, id)?.status === 'offered') sandbox.onchainQuotes.submit(id);
}

test('every move of every kind of resources can be called, and changes what is seen, now or in days', async () => {
  const partner = await busyEverywhere();
  const { sandbox } = partner;
  const busy = sandbox.snapshot();
  const seen = (kind: string, id: string) => {
    const { history: _, ...resource } = sandbox.resources.get(kind, id) ?? { history: [] };
    return JSON.stringify([resource, sandbox.resources.kinds().map(({ count }) => count), sandbox.webhooks.list()]);
  };
  const moved = new Map<string, Set<string>>();
  const unseen: string[] = [];
  /** What is seen at once and after days, with a move and without one. */
  const watch = async (kind: string, resource: SandboxResource, move?: Move): Promise<readonly string[]> => {
    sandbox.restore(busy);
    if (move !== undefined) await call(sandbox, move);
    const atOnce = seen(kind, resource.id);
    // An offer that will fail shows it once it is executed.
    if (move === undefined || move.name === 'fail') await execute(partner, kind, resource);
    sandbox.advance(4 * DAY_MS);
    expect(sandbox.books.check().isBalanced).toBe(true);
    return [atOnce, seen(kind, resource.id)];
  };
  for (const { kind } of sandbox.resources.kinds()) {
    sandbox.restore(busy);
    moved.set(kind, new Set());
    // One resource of each state: the moves depend on nothing else.
    const states = new Map(sandbox.resources.list(kind, { limit: 100_000 }).map((one) => [one.status, one]));
    for (const resource of states.values()) {
      const unmoved = resource.moves.length === 0 ? [] : await watch(kind, resource);
      for (const move of resource.moves) {
        const what = `${move.method} of a ${resource.status} one of ${kind}`;
        if ((await watch(kind, resource, move)).every((now, index) => now === unmoved[index])) unseen.push(what);
        moved.get(kind)?.add(move.name);
      }
    }
  }
  expect(unseen).toEqual([]);
  const still = [...moved].flatMap(([kind, names]) => (names.size === 0 ? [kind] : []));
  expect(still).toEqual(WITHOUT_MOVES);
}, 360_000);
