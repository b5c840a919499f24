import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/index.js';
import { directSandbox } from '../support/direct-partner.js';
import { openSandbox, Partner } from '../support/partner.js';

const order = { from: { type: 'bank', symbol: 'USD', amount: '10' }, to: { type: 'balance', symbol: 'BTC' } } as const;

interface Item {
  readonly id: string;
  readonly created_at: string;
}

async function page(partner: Partner, accountId: string, size: number, token?: string) {
  const query = `page_size=${size}${token === undefined ? '' : `&page_token=${encodeURIComponent(token)}`}`;
  const answer = await partner.get(`/v1/accounts/${accountId}/on-demand-conversions?${query}`);
  expect(answer.status).toBe(200);
  // A walk would not end.
  expect(answer.body.next_page_token).not.toBe(token ?? '');
  return answer.body as { data: Item[]; next_page_token?: string };
}

const add = ({ convert }: { convert: () => { id: string } }, count: number) =>
  Array.from({ length: count }, () => convert().id);

/** Newest first, none twice, and none missing of those that were there when the walk began. */
function checkWalk(walked: readonly Item[], atBeginning: readonly string[], laterOnes: ReadonlySet<string>): void {
  const ids = walked.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !laterOnes.has(id))).toEqual(atBeginning);
  const times = walked.map(({ created_at }) => created_at);
  expect(times).toEqual([...times].sort().reverse());
}

async function allIds(partner: Partner, accountId: string): Promise<string[]> {
  const ids: string[] = [];
  let token: string | undefined;
  do {
    const body = await page(partner, accountId, 25, token);
    ids.push(...body.data.map(({ id }) => id));
    token = body.next_page_token;
  } while (token !== undefined);
  return ids;
}

describe('a walk through the pages of conversions', () => {
  test('is right while conversions are added between its pages, also within one millisecond', async () => {
    const added = fc.tuple(fc.nat(6), fc.constantFrom(0, 0, 1, 60_000));
    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: 25 }),
      fc.nat(9),
      fc.array(added, { maxLength: 40 }),
      async (size, before, additions) => {
        const partner = directSandbox();
        const { secondaryAccountId: accountId } = partner.sandbox.fixtures;
        const source = { convert: () => partner.sandbox.accounts.convert(accountId, order) };
        add(source, before);
        const atBeginning = await allIds(partner, accountId);
        const later = new Set<string>();
        const walked: Item[] = [];
        let token: string | undefined;
        do {
          const body = await page(partner, accountId, size, token);
          walked.push(...body.data);
          const again = await page(partner, accountId, size, token);
          token = body.next_page_token;
          const [count, ms] = additions.shift() ?? [0, 0];
          for (const id of add(source, count)) later.add(id);
          partner.sandbox.advance(ms);
          // The same token leads to the same items, before and after.
          expect(again.data.map(({ id }) => id)).toEqual(body.data.map(({ id }) => id));
        } while (token !== undefined);
        checkWalk(walked, atBeginning, later);
      },
    );
    await fc.assert(property, { numRuns: 30 });
  }, 360_000);

  test('meets every conversion that is added, newest first, when it begins again', async () => {
    const partner = directSandbox();
    const { secondaryAccountId: accountId } = partner.sandbox.fixtures;
    const before = await allIds(partner, accountId);
    const added = add({ convert: () => partner.sandbox.accounts.convert(accountId, order) }, 60);
    expect(await allIds(partner, accountId)).toEqual([...added.reverse(), ...before]);
  });

  test('keeps its place when a page is asked for with another size', async () => {
    const partner = directSandbox();
    const { accountId } = partner.sandbox.fixtures;
    const all = await allIds(partner, accountId);
    const { next_page_token: token } = await page(partner, accountId, 3);
    add({ convert: () => partner.sandbox.accounts.convert(accountId, order) }, 5);
    const { data } = await page(partner, accountId, 11, token);
    expect(data.map(({ id }) => id)).toEqual(all.slice(3, 14));
  });

  test('is right for several walkers over HTTP at once, while others add conversions', async () => {
    const first = await openSandbox({ realTime: true });
    const { sandbox } = first;
    const { accountId } = sandbox.fixtures;
    const added = new Set<string>();
    const writer = setInterval(() => {
      for (const id of add({ convert: () => sandbox.accounts.convert(accountId, order) }, 3)) added.add(id);
    }, 1);
    try {
      const walkers = [first, ...[1, 2, 3].map(() => another(first, sandbox))];
      await Promise.all(
        walkers.map(async (walker, index) => {
          const walked: Item[] = [];
          let token: string | undefined;
          do {
            const body = await page(walker, accountId, 5 + 6 * index, token);
            walked.push(...body.data);
            token = body.next_page_token;
          } while (token !== undefined);
          const oldest = [...added].reverse().filter((id) => walked.some((item) => item.id === id));
          const ids = walked.map(({ id }) => id);
          expect(new Set(ids).size).toBe(ids.length);
          // Those that were there before the first page, without a gap, then those of the seed.
          expect(ids.slice(0, oldest.length)).toEqual(oldest);
          expect(ids.length).toBe(oldest.length + 320);
          expect([...added].slice(0, oldest.length).reverse()).toEqual(oldest);
        }),
      );
      expect(added.size).toBeGreaterThan(0);
    } finally {
      clearInterval(writer);
      await sandbox.close();
    }
  });
});

/** A walker with an API key of its own: the requests of one must arrive in order. */
const another = ({ url }: Partner, sandbox: Sandbox): Partner => new Partner(sandbox, url, sandbox.keys.issue());
