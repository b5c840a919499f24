import { describe, expect, it } from 'vitest';
import type { OnchainQuoteCreateBody, PartnerClient } from '../../../src/index.js';
import { ACCOUNT, operation } from '../support/operations.js';
import { onchainQuote, priceTriggerSwap } from '../support/samples.js';
import { forRequest, json, startService } from '../support/service.js';

const service = startService();

type Wait = (client: PartnerClient, until?: string) => PromiseLike<{ status?: string | undefined }>;

/** The compiler takes known statuses only. JavaScript may name any. */
const named = (until: string | undefined) => (until === undefined ? {} : { until: until as never });

const swap: Wait = (client, until) =>
  client.accounts.priceTriggerSwaps.waitFor(ACCOUNT, priceTriggerSwap.id, named(until));
const quote: Wait = (client, until) => client.accounts.onchainQuotes.waitFor(ACCOUNT, onchainQuote.id, named(until));

/** What is read, one status a poll; the last is where the wait ends. */
type Row = [until: string | undefined, statuses: string[]];

async function waited(wait: Wait, sample: object, [until, statuses]: Row): Promise<void> {
  const expiresAt = new Date(Date.now() + 60_000).toISOString();
  // Whoever polls on after the end reads a status that nobody may see.
  service.answer((_, index) =>
    json({ data: { ...sample, expires_at: expiresAt, status: statuses[index] ?? 'too late' } }),
  );
  const end = await wait(service.client(), until);
  expect(end.status).toBe(statuses.at(-1));
  expect(service.received).toHaveLength(statuses.length);
}

describe('a price-trigger swap is waited for', () => {
  it.each<Row>([
    [undefined, ['completed']],
    [undefined, ['active', 'cancelled']],
    [undefined, ['paused', 'completed']],
    ['paused', ['active', 'paused']],
    ['completed', ['active', 'cancelled']],
  ])('until %s: %j', (...row) => waited(swap, priceTriggerSwap, row));
});

describe('an on-chain quote is waited for', () => {
  it.each<Row>([
    [undefined, ['pending', 'offered']],
    [undefined, ['pending', 'failed']],
    [undefined, ['expired']],
    [undefined, ['executing', 'executed']],
    ['executed', ['offered', 'executing', 'executed']],
    ['executed', ['executing', 'failed']],
    ['executing', ['offered', 'expired']],
    [undefined, ['queued', 'offered']],
  ])('until %s: %j', (...row) => waited(quote, onchainQuote, row));

  it('a pending one without execution details is no wrong answer, not even in strict mode', async () => {
    const { execution_details: _, ...pending } = { ...onchainQuote, status: 'pending' };
    service.answer((request) => json(forRequest(request, { data: pending })));
    const client = service.client({ responseValidation: 'strict' });
    const read = await client.accounts.onchainQuotes.get(ACCOUNT, onchainQuote.id);
    expect(read.execution_details).toBeUndefined();
    const body = operation('accounts.onchainQuotes.create').body as unknown as OnchainQuoteCreateBody;
    expect((await client.accounts.onchainQuotes.create(ACCOUNT, body)).status).toBe('pending');
  });
});
