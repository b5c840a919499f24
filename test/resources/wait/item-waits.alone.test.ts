import { describe, expect, it } from 'vitest';
import type { FundsTransaction, ItemWaitOptions, Verification } from '../../../src/index.js';
import { failure, json } from '../support/service.js';
import { ACCOUNT, answerUser, end, Polled, USER, underFakeTimers } from '../support/waiting.js';

underFakeTimers();

const ID = 'PV-ABCDE-FGHIJ-KLMNO';
const verification = (verification_id: string, status: string, more: object = {}) => ({
  verification_id,
  types: ['proof_of_identity'],
  method: 'url',
  status,
  created_at: '2026-01-15T12:00:00.000Z',
  updated_at: '2026-01-15T12:00:00.000Z',
  ...more,
});

/** Each poll reads the next of these lists, the last for ever. */
const lists = (...life: object[][]) =>
  new Polled((poll) => json({ data: { verifications: life[Math.min(poll, life.length - 1)] } }));
const waited = (polled: Polled, ...more: [options?: object]) =>
  end(polled.client.users.verifications.waitFor(USER, ID, ...more));

describe('users.verifications.waitFor', () => {
  it('ends with its verification, whatever others are', async () => {
    const others = [verification('PV-1', 'failed'), verification('PV-2', 'completed')];
    const failed = verification(ID, 'failed', { reasons: [{ code: 'unreadable' }] });
    const polled = lists([...others, verification(ID, 'pending')], [...others, failed]);
    expect((await waited(polled)).value).toMatchObject(failed);
    expect(polled.times).toHaveLength(2);
  });

  it('takes an absent verification for a pending one, and tells onPoll', async () => {
    const polled = lists([], [verification('PV-1', 'completed')], [verification(ID, 'completed')]);
    const seen: (string | undefined)[] = [];
    const until = (one: Verification) => one.status === 'completed';
    const { value } = await waited(polled, { until, onPoll: (one?: Verification) => seen.push(one?.verification_id) });
    expect(value?.verification_id).toBe(ID);
    expect(seen).toEqual([undefined, undefined, ID]);
  });

  it('says at its timeout that it was not in the list', async () => {
    const { error } = await waited(lists([]), { timeout: 2_000 });
    expect((error as Error).message).toMatch(/was polled \d times, \w+ "[\w-]+" was not in the list$/);
  });

  it('in warn mode polls on what cannot be read', async () => {
    const life = [[null], [{ verification_id: ID }], [verification(ID, 'completed')]];
    const polled = new Polled((poll) => json({ data: { verifications: life[poll] } }), { responseValidation: 'warn' });
    expect((await waited(polled)).value?.status).toBe('completed');
  });
});

const REF = 'ref-of-the-withdrawal';
const entry = (ref_id: string, status = 'pending') => ({ type: 'withdrawal', amount: '1', status, ref_id });

/** A ledger of pages; `status` says which page has the withdrawal at the time of a request. */
class Ledger {
  readonly asked: (string | null)[] = [];
  readonly queries: string[] = [];
  readonly polled: Polled;

  constructor(
    pages: number,
    placeOf: (request: number) => number | undefined,
    statusOf = (_request: number) => 'held',
  ) {
    this.polled = new Polled((request, url) => {
      const cursor = url.searchParams.get('cursor');
      this.asked.push(cursor);
      this.queries.push(
        `${url.pathname}?type=${url.searchParams.get('type')}&page_size=${url.searchParams.get('page_size')}`,
      );
      const page = cursor === null ? 0 : Number(cursor.slice(1));
      const data = [entry(`other-${page}`, 'completed')];
      if (placeOf(request) === page) data.push(entry(REF, statusOf(request)));
      return json({ data, next_page_token: page + 1 < pages ? `p${page + 1}` : null });
    });
  }

  wait(options?: ItemWaitOptions<FundsTransaction>) {
    return end(this.polled.client.funds.withdrawals.waitFor(ACCOUNT, REF, options));
  }
}

describe('funds.withdrawals.waitFor', () => {
  it('reads the withdrawals of the ledger, and gives the entry', async () => {
    const ledger = new Ledger(1, () => 0);
    const { value } = await ledger.wait({ until: 'held' });
    expect(value).toMatchObject({ ref_id: REF, status: 'held' });
    expect(value?.amount?.toFixed()).toBe('1');
    expect(ledger.queries).toEqual(['/v1/funds/transactions?type=withdrawal&page_size=500']);
  });

  it('takes an absent entry for a pending one', async () => {
    const ledger = new Ledger(2, (request) => (request < 4 ? undefined : 1));
    const seen: unknown[] = [];
    const { value } = await ledger.wait({ until: 'held', onPoll: (one) => seen.push(one?.ref_id) });
    expect(value?.ref_id).toBe(REF);
    expect(seen).toEqual([undefined, undefined, REF]);
  });

  it('reads at most five pages a poll, of which the first is always one, and goes on in the next', async () => {
    const ledger = new Ledger(12, () => 10);
    const { value } = await ledger.wait({ until: 'held' });
    expect(value?.ref_id).toBe(REF);
    expect(ledger.asked).toEqual([null, 'p1', 'p2', 'p3', 'p4', null, 'p5', 'p6', 'p7', 'p8', null, 'p9', 'p10']);
  });

  it('reads the page on which it stood, again', async () => {
    const ledger = new Ledger(
      12,
      () => 3,
      (request) => (request < 7 ? 'pending' : 'held'),
    );
    await ledger.wait({ until: 'held' });
    expect(ledger.asked).toEqual([null, 'p1', 'p2', 'p3', null, 'p3', null, 'p3']);
  });

  it('finds an entry that comes late at the beginning of a long ledger, and one that moved behind', async () => {
    const late = new Ledger(40, (request) => (request < 10 ? undefined : 0));
    expect((await late.wait({ until: 'held' })).value?.ref_id).toBe(REF);
    expect(late.asked).toHaveLength(11);
    const moving = new Ledger(
      4,
      (request) => (request < 3 ? 2 : 1),
      (request) => (request < 3 ? 'pending' : 'held'),
    );
    expect((await moving.wait({ until: 'held' })).value?.ref_id).toBe(REF);
    expect(moving.asked).toEqual([null, 'p1', 'p2', null, 'p2', 'p3', null, 'p1']);
  });

  it('goes on after a page that failed, and ends with a refusal', async () => {
    const answers = [new Response('<html>'), failure(503, 'unavailable'), json({ data: [entry(REF, 'held')] })];
    const polled = new Polled((request) => answers[request] ?? failure(403, 'forbidden'));
    const { withdrawals } = polled.client.funds;
    expect((await end(withdrawals.waitFor(ACCOUNT, REF, { until: 'held' }))).value?.status).toBe('held');
    const { error } = await end(withdrawals.waitFor(ACCOUNT, REF, { until: 'held' }));
    expect(error).toMatchObject({ name: 'ForbiddenError', operation: 'funds.transactions.list' });
  });
});

describe('the timeout of users.waitFor', () => {
  const timedOut = async (actions: unknown[]) => {
    const polled = new Polled(() => answerUser('pending', actions));
    const { error } = await end(polled.client.users.waitFor(USER, { timeout: 2_000 }));
    return (error as Error).message.replace(/^.*times, /, '');
  };

  it.each<[unknown[], string]>([
    [[], 'none'],
    [[{ type: 'submit_verification', verification: 'proof_of_identity' }], '"submit_verification"'],
    [['accept_terms', { code: 'kyc' }, { name: 'call' }], '"accept_terms", "kyc", "call"'],
    [['Ada Byron, 12 St James', 5, null, {}], 'no plain word, no plain word, no plain word, no plain word'],
    [Array(7).fill('again'), '"again", "again", "again", "again", "again" and 2 more'],
  ])('names the required actions %j', async (actions, shown) => {
    expect(await timedOut(actions)).toBe(`the last status was "pending", required_actions: ${shown}`);
  });
});
