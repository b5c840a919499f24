import { describe, expect, it } from 'vitest';
import { type ApiPromise, type PartnerClient, RequestValidationError } from '../../../src/index.js';
import { accountConversion, moneyTransfer, onchainQuote, priceTriggerSwap, quote } from '../support/samples.js';
import { json, wrong } from '../support/service.js';
import { ACCOUNT, answerUser, end, Polled, USER, underFakeTimers } from '../support/waiting.js';

underFakeTimers();

interface Wait {
  readonly operation: string;
  readonly ids: Readonly<Record<string, string>>;
  readonly call: (client: PartnerClient, ids: readonly [string, string], options: object) => ApiPromise<unknown>;
  readonly answer: (status: string | undefined) => Response;
  /** Where a wait ends that names no status of its own. */
  readonly ends: readonly string[];
  /** Where it ends whatever it was told to wait for. */
  readonly final: readonly string[];
  readonly passing: readonly [string, string, ...(string | undefined)[]];
}

const answerWith = (sample: object) => (status: string | undefined) => json({ data: { ...sample, status } });
/** The least that is an item of each list. */
const verification = { verification_id: 'PV-1', types: ['proof_of_identity'], method: 'url', created_at: '' };
const entry = { type: 'withdrawal', amount: '1', ref_id: 'ref-1' };

const WAITS: Readonly<Record<string, Wait>> = {
  'accounts.quotes': {
    operation: 'accounts.quotes.get',
    ids: { account_id: ACCOUNT, quote_id: quote.id },
    call: (client, ids, options) => client.accounts.quotes.waitFor(...ids, options),
    answer: answerWith(quote),
    ends: ['executed', 'expired', 'failed'],
    final: ['executed', 'expired', 'failed'],
    passing: ['offered', 'executing', 'of_a_later_edition', 'executing'],
  },
  'accounts.priceTriggerSwaps': {
    operation: 'accounts.priceTriggerSwaps.get',
    ids: { account_id: ACCOUNT, id: priceTriggerSwap.id },
    call: (client, ids, options) => client.accounts.priceTriggerSwaps.waitFor(...ids, options),
    answer: answerWith(priceTriggerSwap),
    ends: ['completed', 'cancelled'],
    final: ['completed', 'cancelled'],
    passing: ['active', 'paused', 'of_a_later_edition'],
  },
  'accounts.onchainQuotes': {
    operation: 'accounts.onchainQuotes.get',
    ids: { account_id: ACCOUNT, quote_id: onchainQuote.id },
    call: (client, ids, options) => client.accounts.onchainQuotes.waitFor(...ids, options),
    answer: answerWith(onchainQuote),
    ends: ['offered', 'executed', 'expired', 'failed'],
    final: ['executed', 'expired', 'failed'],
    passing: ['pending', 'executing', 'of_a_later_edition'],
  },
  conversions: {
    operation: 'conversions.get',
    ids: { conversion_id: accountConversion.id },
    call: (client, [id], options) => client.conversions.waitFor(id, options),
    answer: answerWith(accountConversion),
    ends: ['completed', 'failed'],
    final: ['completed', 'failed'],
    passing: ['processing', 'pending', 'of_a_later_edition', undefined],
  },
  transfers: {
    operation: 'transfers.get',
    ids: { transfer_id: moneyTransfer.id },
    call: (client, [id], options) => client.transfers.waitFor(id, options),
    answer: answerWith(moneyTransfer),
    ends: ['completed', 'failed', 'cancelled'],
    final: ['completed', 'failed', 'cancelled'],
    passing: ['processing', 'pending', 'of_a_later_edition', undefined],
  },
  users: {
    operation: 'users.get',
    ids: { user_id: USER },
    call: (client, [id], options) => client.users.waitFor(id, options),
    answer: (state) => answerUser(state ?? ''),
    ends: ['ok'],
    final: [],
    passing: ['pending', 'review', 'of_a_later_edition'],
  },
  'users.verifications': {
    operation: 'users.verifications.list',
    ids: { user_id: USER, verification_id: 'PV-1' },
    call: (client, ids, options) => client.users.verifications.waitFor(...ids, options),
    answer: (status) =>
      json({
        data: {
          verifications: [
            { ...verification, verification_id: 'PV-2' },
            { ...verification, status },
          ],
        },
      }),
    ends: ['completed', 'failed'],
    final: ['completed', 'failed'],
    passing: ['pending', 'of_a_later_edition'],
  },
  'funds.withdrawals': {
    operation: 'funds.transactions.list',
    ids: { account_id: ACCOUNT, ref_id: 'ref-1' },
    call: (client, ids, options) => client.funds.withdrawals.waitFor(...ids, options),
    answer: (status) => json({ data: [{ ...entry, status }], next_page_token: null }),
    ends: ['success', 'settled', 'completed', 'failure', 'failed'],
    // What the others mean is an assumption, so who names a status waits for that one.
    final: [],
    passing: ['pending', 'held', 'under_review'],
  },
};

const WRONG: readonly (readonly [option: string, values: readonly unknown[]])[] = [
  ['until', ['', 5, null, true, [], [''], ['executed', 5], {}, new Set(['executed'])]],
  ['timeout', [0, -1, Number.NaN, '5', null, Infinity]],
  ['onPoll', ['x', 5, null, {}]],
  ['attemptTimeout', [0]],
  ['interval', [1000]],
  ['prefetch', [true]],
  ['idempotencyKey', ['3f0c1f7e-52a5-4b65-9a3d-0f7f6a1d2c3b']],
];

describe.each(Object.entries(WAITS))('%s.waitFor', (name, { operation, ids, call, answer, ends, final, passing }) => {
  const given = Object.values(ids) as [string, string];
  const wait = (polled: Polled, options: object = {}) => end(call(polled.client, given, options));
  /** Waits while this is read, one status a poll: the last is where the wait ends, so nobody may see what follows. */
  async function expectEnd(life: readonly (string | undefined)[], options?: object): Promise<void> {
    const polled = new Polled((poll) => answer(poll < life.length ? life[poll] : 'too_late'));
    const { value, error } = await wait(polled, options);
    expect(error).toBeUndefined();
    const { status } = value as { status: string | { state: string } };
    expect(typeof status === 'object' ? status.state : status).toBe(life.at(-1));
    expect(polled.times).toHaveLength(life.length);
  }

  it.each(ends)('ends with %s, and with no other status', (status) => expectEnd([...passing, status]));

  it('ends at what until says: a status, one of several, or a function', async () => {
    const [one, other] = passing;
    const isOther = (value: unknown) => JSON.stringify(value).includes(`"${other}"`);
    for (const until of [other, ['settling', other], isOther]) await expectEnd([one, one, other], { until });
    await expectEnd([one, 'in_review'], { until: 'in_review' });
  });

  it('ends with a final status whatever until says, and with another end only if until names it', async () => {
    const [one] = passing;
    const open = ends.filter((status) => !final.includes(status));
    for (const status of final)
      for (const until of ['settling', ['settling'], () => false]) await expectEnd([one, ...open, status], { until });
    for (const status of open)
      await expectEnd([...open.filter((another) => another !== status), one, status], { until: status });
  });

  it('says at its timeout what the last status was', async () => {
    const [status] = passing;
    const polled = new Polled(() => answer(status));
    const { error } = await wait(polled, { timeout: 2_000 });
    expect(error).toMatchObject({ name: 'TimeoutError', operation });
    expect(error).toMatchObject({ attempts: { count: polled.times.length, failures: [] } });
    expect((error as Error).message).toContain(`the last status was "${status}"`);
  });

  it.each(WRONG)('refuses a wrong option before anything is sent: %s', async (option, values) => {
    const polled = new Polled(() => answer(ends[0]));
    for (const value of values) {
      const { error } = await wait(polled, { [option]: value });
      expect(error, JSON.stringify(value)).toBeInstanceOf(RequestValidationError);
      expect(error).toMatchObject({ issues: [{ path: `options.${option}` }], operation: `${name}.waitFor` });
      expect((error as Error).message).toContain(`the input of ${name}.waitFor is wrong: options.${option} `);
      expect(error).toMatchObject({ outcome: 'not_applied', attempts: { count: 0, failures: [] } });
    }
    expect(polled.times).toEqual([]);
  });

  it('takes an option that is undefined for one that is absent', async () => {
    const { error } = await wait(
      new Polled(() => answer(ends[0])),
      Object.fromEntries(WRONG.map(([name]) => [name, undefined])),
    );
    expect(error).toBeUndefined();
  });

  it.each(Object.keys(ids))('checks %s before anything is sent', async (path) => {
    const polled = new Polled(() => answer(ends[0]));
    for (const value of ['', 5]) {
      const others = Object.entries(ids).map(([name, id]) => (name === path ? wrong(value) : id));
      const { error } = await end(call(polled.client, others as [string, string], {}));
      expect(error).toBeInstanceOf(RequestValidationError);
      expect(error).toMatchObject({ issues: [{ path }] });
    }
    expect(polled.times).toEqual([]);
  });
});
