import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { directSandbox } from '../support/direct-partner.js';
import type { Partner } from '../support/partner.js';

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
});
