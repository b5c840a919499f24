import { describe, expect, test } from 'vitest';
import { AGENDA_ROWS } from '../../../src/sandbox/drive/look/agenda.js';
import { createSandbox } from '../../../src/sandbox/index.js';
import { STEPS } from '../../../src/sandbox/kinds/registry/derived.js';
import { askControl, openSandbox } from '../support/partner.js';
import { busy } from './support/busy.js';

describe('resources', () => {
  test('every kind tells its number and states, and each state of each resource is one of them', async () => {
    const { sandbox } = await busy();
    const kinds = sandbox.resources.kinds();
    const withSome = kinds.filter(({ count }) => count > 0).map(({ kind }) => kind);
    expect(withSome).toEqual(expect.arrayContaining(['users', 'quotes', 'transfers', 'conversions', 'bankLinks']));
    for (const { kind, count, states } of kinds) {
      const all = sandbox.resources.list(kind, { limit: 100_000 });
      expect(all).toHaveLength(count);
      for (const { status } of all) {
        if (states === undefined) expect(status).toBeUndefined();
        else expect(states, kind).toContain(status);
      }
    }
  });

  test('name the moves that can be called: the state is another one then, and names others', async () => {
    const partner = await openSandbox();
    const { quoteId } = partner.sandbox.fixtures;
    const quote = async () => (await askControl(partner, `GET resources/quotes/${quoteId}`)).data;
    const [{ method, args }] = (await quote()).moves;
    expect((await askControl(partner, `POST ${method.replace('.', '/')}`, args)).status).toBe(200);
    expect(await quote()).toMatchObject({ status: 'expired', moves: [] });
  });

  test('all changes that are noted lead from state to state, with a cause', async () => {
    const partner = await busy();
    const { sandbox } = partner;
    sandbox.advance(10 * 60_000);
    let changes = 0;
    for (const { kind, states } of sandbox.resources.kinds()) {
      for (const { id } of sandbox.resources.list(kind, { limit: 20 })) {
        for (const { from, to, cause } of sandbox.resources.get(kind, id)?.history ?? []) {
          changes += 1;
          expect(states, kind).toContain(to);
          if (from === undefined) continue;
          expect(states, kind).toContain(from);
          expect(cause).toBeTypeOf('number');
        }
      }
    }
    expect(changes).toBeGreaterThan(12);
  });

  test('are filtered, paged, and read one by one over HTTP', async () => {
    const partner = await openSandbox();
    const { accountId, secondaryAccountId, userId, quoteId } = partner.sandbox.fixtures;
    const read = async (path: string) => askControl(partner, `GET resources/${path}`);
    const first = (await read(`onDemandConversions?accountId=${accountId}&limit=2`)).data;
    const rest = (await read(`onDemandConversions?accountId=${accountId}&limit=1&after=${first[0].id}`)).data;
    expect(rest).toEqual([first[1]]);
    expect((await read(`quotes?status=executed`)).data).toEqual([]);
    expect((await read(`quotes?accountId=${secondaryAccountId}`)).data).toEqual([]);
    expect((await read(`quotes/${quoteId}`)).data).toMatchObject({
      id: quoteId,
      kind: 'quotes',
      account: accountId,
      user: userId,
      status: 'offered',
      history: [],
      next: { task: 'quote.expire', what: `Quote ${quoteId} expires.` },
      moves: [{ name: 'expire', method: 'quotes.expire', args: [quoteId] }, { name: 'fail' }],
    });
    expect((await read(`quotes?q=${quoteId.slice(4, 20).toUpperCase()}`)).data).toMatchObject([{ id: quoteId }]);
    expect((await read(`quotes?q=${userId.toLowerCase()}`)).data).toMatchObject([{ id: quoteId }]);
    expect((await read('quotes?q=there+is+none')).data).toEqual([]);
    expect((await read(`users/${encodeURIComponent(partner.sandbox.fixtures.spacedUserId)}`)).status).toBe(200);
    for (const path of ['quotes/none', 'quots']) expect((await read(path)).status).toBe(404);
    for (const path of ['quotes?colour=1', 'quotes?after=none', 'quotes?limit=-1']) {
      expect((await read(path)).status).toBe(400);
    }
    expect(() => partner.sandbox.resources.list('quots')).toThrow('did you mean quotes');
  });

  test('are newest first, whichever account they belong to', async () => {
    const { sandbox } = await openSandbox();
    const { secondaryAccountId } = sandbox.fixtures;
    const usd = { type: 'balance', symbol: 'USD' } as const;
    sandbox.accounts.setBalance(secondaryAccountId, { symbol: 'USD', total: '500' });
    const { id } = sandbox.accounts.convert(secondaryAccountId, {
      from: { ...usd, amount: '100' },
      to: { type: 'bank', symbol: 'EUR' },
    });
    expect(sandbox.resources.list('onDemandConversions', { limit: 1 })).toMatchObject([{ id }]);
    const times = sandbox.resources
      .list('onDemandConversions')
      .map(({ record }) => (record as { readonly created_at: string }).created_at);
    expect(times).toEqual([...times].sort().reverse());
  });

  test('an account names itself, its user and what it has, in the list and by itself', async () => {
    const partner = await openSandbox();
    const { accountId } = partner.sandbox.fixtures;
    const [one] = (await askControl(partner, `GET resources/accounts?accountId=${accountId}`)).data;
    expect(one.record).toEqual({ id: accountId, name: 'main', external_reference: expect.any(String) });
    expect(one.holdings).toEqual(partner.sandbox.books.holdings(accountId));
    const { history: _, ...alone } = (await askControl(partner, `GET resources/accounts/${accountId}`)).data;
    expect(alone).toEqual(one);
  });

  test('withdrawal addresses of two accounts under one key are two, each found and removed by itself', async () => {
    const partner = await openSandbox();
    const { accountId, secondaryAccountId, withdrawalAddressKey: key } = partner.sandbox.fixtures;
    const ids = [accountId, secondaryAccountId].map((account) => `${account}:${key}`);
    const read = (id = '') => askControl(partner, `GET resources/withdrawalAddresses/${encodeURIComponent(id)}`);
    const first = (await read(ids[0])).data;
    expect(first).toMatchObject({ id: ids[0], account: accountId, record: { key } });
    expect((await read(ids[1])).data).toMatchObject({ id: ids[1], account: secondaryAccountId });
    expect(first.moves).toEqual([{ name: 'remove', method: 'withdrawalAddresses.remove', args: [accountId, key] }]);
    await askControl(partner, 'POST withdrawalAddresses/remove', first.moves[0].args);
    expect([(await read(ids[0])).status, (await read(ids[1])).status]).toEqual([404, 200]);
  });
});

describe('the agenda', () => {
  test('has a sentence for every step', () => {
    const kinds = ['conversion.settle', 'conversion.complete', 'limit.restore'];
    const missing = [...Object.keys(STEPS), ...kinds, 'webhook.attempt', 'trouble.end'].filter(
      (name) => !(name in AGENDA_ROWS),
    );
    expect(missing).toEqual([]);
  });

  test('tells what comes, in order, of one account, over HTTP', async () => {
    const partner = await openSandbox();
    const { accountId, quoteId } = partner.sandbox.fixtures;
    const all = (await askControl(partner, 'GET clock/agenda')).data;
    expect(all.map(({ at }: { at: number }) => at)).toEqual(all.map(({ at }: { at: number }) => at).sort());
    expect((await askControl(partner, `GET clock/agenda?accountId=${accountId}&limit=1`)).data).toHaveLength(1);
    expect(all).toContainEqual(expect.objectContaining({ task: 'quote.expire', id: quoteId, account: accountId }));
    expect((await askControl(partner, 'GET clock')).data).toMatchObject({ isRunning: false, next: all[0] });
    const early = all.filter(({ at }: { at: number }) => at <= all[2].at);
    expect((await askControl(partner, `GET clock/agenda?until=${all[2].at}`)).data).toEqual(early);
    expect((await askControl(partner, 'GET clock/agenda?colour=1')).status).toBe(400);
  });
});

describe('postings', () => {
  test('tell how a balance came to be, with cause, reference and the balance afterwards', async () => {
    const partner = await busy();
    const { sandbox } = partner;
    const { accountId } = sandbox.fixtures;
    sandbox.advance(10 * 60_000);
    const postings = sandbox.postings.list({ accountId, asset: 'USD' });
    expect(postings.length).toBeGreaterThan(3);
    const usd = sandbox.books.holdings(accountId).find(({ asset }) => asset === 'fiat:USD');
    const last = postings.at(-1);
    expect(last?.from === accountId ? last?.fromBalance : last?.toBalance).toBe(usd?.total);
    for (const { cause, reference, amount } of postings) {
      expect([cause, reference, amount]).toEqual([
        expect.any(Number),
        expect.stringMatching(/./),
        expect.stringMatching(/^\d/),
      ]);
    }
    const [one] = postings;
    expect(sandbox.postings.list({ reference: one?.reference ?? '' })).toContainEqual(one);
    expect(sandbox.postings.list({ after: one?.seq ?? 0, limit: 1 })[0]?.seq).toBeGreaterThan(one?.seq ?? 0);
    sandbox.reset();
    expect([sandbox.postings.list(), sandbox.postings.gone]).toEqual([[], 0]);
  });

  test('are not kept without inspect', () => {
    const quiet = createSandbox();
    quiet.accounts.setBalance(quiet.fixtures.accountId, { symbol: 'USD', total: '1' } as never);
    expect(quiet.postings.list()).toEqual([]);
  });
});

describe('the books', () => {
  test('name the orders that hold a balance, and prove themselves', async () => {
    const partner = await busy();
    const { sandbox } = partner;
    const held = sandbox.books.holdings(sandbox.fixtures.accountId).flatMap(({ heldBy }) => heldBy);
    expect(new Set(held.map(({ resource }) => resource))).toEqual(
      new Set(['quotes', 'conversions', 'transfers', 'onDemandConversions']),
    );
    expect(sandbox.books.check()).toMatchObject({ isBalanced: true, negative: [], unexplained: [] });
    sandbox.advance(10 * 60_000);
    expect(sandbox.books.check().isBalanced).toBe(true);
    expect(sandbox.books.holdings(sandbox.fixtures.accountId).flatMap(({ heldBy }) => heldBy)).toEqual([]);
    expect(() => sandbox.books.holdings('none')).toThrow('there is no account none');
  });
});
