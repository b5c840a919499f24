import { expect } from 'vitest';
import type { PartnerClient } from '../../../src/index.js';
import { transitionsOf } from '../../../src/sandbox/core/kind/states.js';
import { KINDS } from '../../../src/sandbox/kinds/registry/index.js';
import type { Fact, SandboxStage, Source } from '../fact.js';
import { IDS } from '../ids.js';

/** The states of one kind of resource: moves as `a>b`. */
interface States {
  readonly fact: string;
  readonly source: Source;
  /** The sandbox's name of the kind. */
  readonly kind: string;
  readonly states: readonly string[];
  readonly moves: readonly string[];
  /** Waits for the end of one. */
  readonly wait?: (client: PartnerClient) => PromiseLike<{ status?: string | undefined }>;
  /** A state that is no end, and those that are. */
  readonly ends?: { readonly open: string; readonly terminal: readonly string[]; readonly id: string };
}

const quote = (id: string, status: string) => ({
  id,
  status,
  expires_at: '2026-03-02T09:15:30.000Z',
  from: { symbol: 'USD', type: 'fiat', name: 'US Dollar', amount: '250' },
  to: { symbol: 'BTC', type: 'crypto', name: 'Bitcoin', amount: '0.004' },
});

const STATES: readonly States[] = [
  {
    fact: 'A quote goes offered → executing → executed or failed, or offered → expired.',
    source: 'specified',
    kind: 'quotes',
    states: ['offered', 'executing', 'executed', 'failed', 'expired'],
    moves: ['offered>executing', 'executing>executed', 'executing>failed', 'offered>expired'],
    wait: (client) => client.accounts.quotes.waitFor(IDS.accountId, IDS.quoteId),
    ends: { open: 'executing', terminal: ['executed', 'failed', 'expired'], id: IDS.quoteId },
  },
  {
    fact: 'An on-chain quote goes pending → offered or failed, then as a quote does.',
    source: 'current',
    kind: 'onchainQuotes',
    states: ['pending', 'offered', 'executing', 'executed', 'failed', 'expired'],
    moves: [
      'pending>offered',
      'pending>failed',
      'offered>executing',
      'executing>executed',
      'executing>failed',
      'offered>expired',
    ],
    wait: (client) => client.accounts.onchainQuotes.waitFor(IDS.accountId, IDS.onchainQuoteId),
    ends: { open: 'pending', terminal: ['executed', 'failed', 'expired'], id: IDS.onchainQuoteId },
  },
  {
    fact: 'A price-trigger swap is active until it is completed or cancelled.',
    source: 'current',
    kind: 'priceTriggerSwaps',
    states: ['active', 'completed', 'cancelled'],
    moves: ['active>completed', 'active>cancelled'],
    wait: (client) => client.accounts.priceTriggerSwaps.waitFor(IDS.accountId, IDS.swapId),
    ends: { open: 'active', terminal: ['completed', 'cancelled'], id: IDS.swapId },
  },
  {
    fact: 'A conversion goes pending_deposit → converting → settling → completed, or fails.',
    source: 'current',
    kind: 'conversions',
    states: ['pending_deposit', 'converting', 'settling', 'completed', 'failed'],
    moves: ['pending_deposit>converting', 'converting>settling', 'settling>completed'],
    wait: (client) => client.conversions.waitFor(IDS.conversionId),
    ends: { open: 'settling', terminal: ['completed', 'failed'], id: IDS.conversionId },
  },
  {
    fact: 'An on-demand conversion is converting, settling, completed or failed; its moves are not shown.',
    source: 'specified',
    kind: 'onDemandConversions',
    states: ['converting', 'settling', 'completed', 'failed'],
    moves: [],
  },
  {
    fact: 'An expected deposit goes pending → received → credited, or pending → expired.',
    source: 'current',
    kind: 'expectedDeposits',
    states: ['pending', 'received', 'credited', 'expired'],
    moves: ['pending>received', 'received>credited', 'pending>expired'],
  },
  {
    fact: 'A transfer goes pending → processing → completed or failed, or pending → cancelled.',
    source: 'current',
    kind: 'transfers',
    states: ['pending', 'processing', 'completed', 'failed', 'cancelled'],
    moves: ['pending>processing', 'processing>completed', 'processing>failed', 'pending>cancelled'],
    wait: (client) => client.transfers.waitFor(IDS.transferId),
    ends: { open: 'processing', terminal: ['completed', 'failed', 'cancelled'], id: IDS.transferId },
  },
  {
    fact: 'A whitelisted wallet is pending until screening has approved or rejected it.',
    source: 'specified',
    kind: 'wallets',
    states: ['pending', 'approved', 'rejected'],
    moves: ['pending>approved', 'pending>rejected'],
  },
  {
    fact: 'A verification is pending, completed or failed; its moves are not shown.',
    source: 'specified',
    kind: 'verifications',
    states: ['pending', 'completed', 'failed'],
    moves: [],
  },
  {
    fact: 'A conversion rule is active or paused.',
    source: 'current',
    kind: 'conversionRules',
    states: ['active', 'paused'],
    moves: [],
  },
];

function checkStates({ kind, states, moves }: States, { sandbox }: SandboxStage): void {
  const known = sandbox.resources.kinds().find((one) => one.kind === kind)?.states ?? [];
  expect([...known].sort()).toEqual([...states].sort());
  const found = KINDS.filter(({ name }) => name === kind)
    .flatMap(transitionsOf)
    .map(({ from, to }) => `${from}>${to}`);
  expect(moves.filter((move) => !found.includes(move))).toEqual([]);
}

const stateFacts: readonly Fact[] = STATES.map((one) => {
  const { fact, source, wait, ends } = one;
  const sandbox: Fact['sandbox'] = (stage) => checkStates(one, stage);
  if (wait === undefined || ends === undefined) return { fact, source, sandbox };
  return {
    fact,
    source,
    sandbox,
    client: async ({ client, service }) => {
      const answer = (status: string) => ({ body: { data: quote(ends.id, status) } });
      service.answers(answer(ends.open));
      for (const status of ends.terminal) {
        service.answers(answer(status));
        expect((await wait(client)).status).toBe(status);
      }
      // Each end was known at once; the open state alone needed a second look.
      expect(service.received).toHaveLength(ends.terminal.length + 1);
    },
  };
});

const SWAP = {
  trade: { from: { symbol: 'USD', type: 'fiat', amount: '10' }, to: { symbol: 'BTC', type: 'crypto' } },
  when: { base: { symbol: 'BTC', type: 'crypto' }, quote: { symbol: 'USD', type: 'fiat' }, drops_to: '1' },
} as const;

/** Creates a price-trigger swap in a sandbox. */
async function swapIn({ send, ids }: SandboxStage) {
  const target = `/v1/accounts/${ids.accountId}/price-trigger-swaps`;
  const { json } = await send({ target, method: 'POST', body: SWAP });
  const { id } = (json as { data: { id: string } }).data;
  return {
    id,
    read: async () => (await send({ target: `${target}/${id}` })).json as { data: Readonly<Record<string, unknown>> },
    cancel: () => send({ target: `${target}/${id}/cancel`, method: 'POST' }),
  };
}

export const states: readonly Fact[] = [
  ...stateFacts,
  {
    fact: 'A quote locks its price for about 30 s.',
    source: 'current',
    sandbox: async ({ send, ids, sandbox }) => {
      const target = `/v1/accounts/${ids.accountId}/quotes/${ids.quoteId}`;
      const status = async () => ((await send({ target })).json as { data: { status: string } }).data.status;
      sandbox.advance(29_000);
      expect(await status()).toBe('offered');
      sandbox.advance(2_000);
      expect(await status()).toBe('expired');
    },
  },
  {
    fact: 'A price-trigger swap stays active after a failed execution, is tried again, and is cancelled with the code system once the tries are exhausted.',
    source: 'current',
    client: async ({ client, service }) => {
      const swap = { id: IDS.swapId, status: 'active' };
      const cancelled = { id: IDS.swapId, status: 'cancelled', cancelled_reason: { code: 'system' } };
      service.answers({ body: { data: swap } }, { body: { data: cancelled } });
      const ended = await client.accounts.priceTriggerSwaps.waitFor(IDS.accountId, IDS.swapId);
      expect(ended).toMatchObject(cancelled);
    },
    sandbox: async (stage) => {
      stage.sandbox.webhooks.register({ url: 'https://partner.example/hooks' });
      const { id, read } = await swapIn(stage);
      for (let failures = 0; failures < 100; failures++) {
        const { data } = await read();
        if (data['status'] !== 'active') break;
        stage.sandbox.priceTriggerSwaps.fail(id);
      }
      expect((await read()).data).toMatchObject({ status: 'cancelled', cancelled_reason: { code: 'system' } });
      await stage.sandbox.webhooks.idle();
      const kinds = stage.receiver.deliveries.map(({ headers }) => headers.get('x-webhook-event'));
      const failed = kinds.filter((kind) => kind === 'price_trigger_swap.execution_failed');
      expect(failed.length).toBeGreaterThan(1);
      expect(kinds.at(-1)).toBe('price_trigger_swap.cancelled');
    },
  },
  {
    fact: 'A price-trigger swap that the partner cancels has the code user_request.',
    source: 'current',
    sandbox: async (stage) => {
      const { read, cancel } = await swapIn(stage);
      expect((await cancel()).text).toBe('');
      expect((await read()).data).toMatchObject({ status: 'cancelled', cancelled_reason: { code: 'user_request' } });
    },
  },
  {
    fact: 'The event wallet.whitelisted announces the end of a screening; how one wallet is read is not shown.',
    source: 'current',
    sandbox: async ({ send, ids, sandbox, receiver }) => {
      sandbox.webhooks.register({ url: 'https://partner.example/hooks', events: ['wallet.whitelisted'] });
      const body = { via: 'ethereum', address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045' };
      const target = `/v1/accounts/${ids.accountId}/wallets/whitelist`;
      await send({ target, method: 'POST', body, headers: { 'API-Otp': sandbox.fixtures.otp } });
      await sandbox.clock.advance(3_600_000);
      await sandbox.webhooks.idle();
      expect(receiver.deliveries.map(({ body: sent }) => JSON.parse(sent))).toMatchObject([
        { type: 'wallet.whitelisted', data: { ...body, status: 'approved' } },
      ]);
    },
  },
  {
    fact: 'Unlinked bank links are no longer returned.',
    source: 'specified',
    sandbox: async ({ send, ids, sandbox }) => {
      const target = `/v1/accounts/${ids.accountId}/funds/bank-links/${ids.bankLinkId}`;
      expect((await send({ target })).status).toBe(200);
      sandbox.bankLinks.remove(ids.bankLinkId);
      expect((await send({ target })).status).toBe(404);
    },
  },
  {
    fact: 'A transfer that failed has a failure_reason.',
    source: 'current',
    sandbox: async ({ send, ids, sandbox }) => {
      const body = { from: { asset: { symbol: 'USD', type: 'fiat', amount: '5' } }, to: { tag: 'a friend' } };
      const { json } = await send({ target: `/v1/accounts/${ids.accountId}/transfers`, method: 'POST', body });
      const { id } = (json as { data: { id: string } }).data;
      sandbox.transfers.fail(id);
      await sandbox.clock.advance(3_600_000);
      const read = await send({ target: `/v1/transfers/${id}` });
      expect(read.json).toMatchObject({ data: { status: 'failed', failure_reason: expect.any(String) } });
    },
  },
];
