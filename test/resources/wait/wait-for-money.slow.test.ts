import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type BankLink,
  ConnectionError,
  type Conversion,
  type PartnerClient,
  type Transfer,
} from '../../../src/index.js';
import { scene } from '../../support/scene.js';
import { ACCOUNT } from '../support/operations.js';
import { bankLink, moneyTransfer } from '../support/samples.js';
import { json, rejection, startService } from '../support/service.js';

const service = startService();

/** Answers one value after the other, the last for ever. */
function answers(sample: object, ...changes: readonly object[]): void {
  service.answer(() => {
    const change = changes[Math.min(service.received.length, changes.length) - 1];
    return json({ data: { ...sample, ...change } });
  });
}

type Wait = (client: PartnerClient, options?: object) => Promise<{ status?: unknown }>;
const link: Wait = (client, options) => client.funds.bankLinks.waitFor(ACCOUNT, bankLink.bank_link_id, { ...options });

describe('funds.bankLinks.waitFor', () => {
  const states = (...eligibility: string[]) =>
    answers(bankLink, ...eligibility.map((accounts_eligibility_status) => ({ accounts_eligibility_status })));

  it.each(['eligible', 'ineligible'])('waits until the eligibility is known: %s', async (known) => {
    states('unknown', 'of_a_later_edition', known);
    expect(await link(service.client())).toMatchObject({ status: 'linked', accounts_eligibility_status: known });
    expect(service.received).toHaveLength(3);
  });

  it('waits for a link that is not linked yet', async () => {
    const pending = { status: 'pending', accounts_eligibility_status: 'eligible' };
    answers(bankLink, pending, { status: 'linked', accounts_eligibility_status: 'eligible' });
    expect(await link(service.client())).toMatchObject({ status: 'linked' });
    expect(service.received).toHaveLength(2);
  });

  it('waits for what it is told to', async () => {
    states('unknown', 'ineligible', 'eligible');
    const until = (one: BankLink) => one.accounts_eligibility_status === 'eligible';
    expect(await link(service.client(), { until })).toMatchObject({ accounts_eligibility_status: 'eligible' });
    states('unknown');
    expect(await link(service.client(), { until: 'linked' })).toMatchObject({ accounts_eligibility_status: 'unknown' });
  });
});

describe('transfers.cancel', () => {
  it('is sent once without a key; when its answer is lost, the outcome is unknown', async () => {
    // Over a socket: MSW's own lost answers depend on which interceptors the process has.
    await scene({ client: { maxRetries: 3 } }, async ({ service, client }) => {
      service.answers({ fault: 'reset' });
      const error = await rejection(() => client.transfers.cancel('transfer-1'), ConnectionError);
      expect(error).toMatchObject({ outcome: 'unknown', idempotencyKey: undefined });
      expect(service.requests).toHaveLength(1);
      expect(service.requests[0]?.headers).not.toHaveProperty('idempotency-key');
    });
  });

  it.each([
    ['its data', { data: { status: 'cancelled', more: [1] } }, { status: 'cancelled', more: [1] }],
    ['the whole answer without data', { cancelled: true }, { cancelled: true }],
    ['text', { data: 'success' }, 'success'],
  ])('gives %s', async (_, answer, value) => {
    service.answerJson(answer);
    expect(await service.client().transfers.cancel('transfer-1')).toEqual(value);
  });

  it('gives undefined for an empty answer', async () => {
    service.answer(() => new Response(null, { status: 204 }));
    expect(await service.client().transfers.cancel('transfer-1')).toBeUndefined();
  });
});

it('a transfer goes to exactly one of account, tag and email', async () => {
  const create = (to: object) => service.client().accounts.transfers.create(ACCOUNT, { to: to as { tag: string } });
  for (const to of [{}, { tag: 'a', email: 'b' }, { account: 'a', tag: 'b', email: 'c' }, { tag: undefined }]) {
    const { issues } = (await rejection(() => create(to))) as unknown as {
      issues: { path: string; message: string }[];
    };
    expect(issues).toEqual([{ path: 'to', message: expect.stringMatching(/^exactly one of account, tag and email/) }]);
  }
  expect(service.received).toEqual([]);
  service.answerJson({ data: moneyTransfer });
  for (const to of [{ account: 'a', tag: undefined }, { tag: 'b' }, { email: 'c', more: 1 }]) await create(to);
  expect(service.received).toHaveLength(3);
});

it('the type of a result tells its statuses', () => {
  const { conversions, transfers } = {} as PartnerClient;
  const wait = () => [
    conversions.waitFor('c').then((end) => {
      expectTypeOf(end.status).toEqualTypeOf<'completed' | 'failed'>();
      expectTypeOf(end).toExtend<Conversion>();
    }),
    conversions.waitFor('c', { until: 'settling' }).then((end) => {
      expectTypeOf(end.status).toEqualTypeOf<'completed' | 'failed' | 'settling'>();
    }),
    transfers.waitFor('t').then((end) => {
      expectTypeOf(end.status).toEqualTypeOf<'completed' | 'failed' | 'cancelled'>();
      expectTypeOf(end.failure_reason).toEqualTypeOf<string | undefined>();
    }),
    transfers.waitFor('t', { until: () => true }).then((end) => expectTypeOf(end).toEqualTypeOf<Transfer>()),
  ];
  expect(wait).toBeTypeOf('function');
});
