import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.js';
import { STEPS } from '../../../src/sandbox/kinds/registry/derived.js';
import { EXECUTION_STEPS } from '../../../src/sandbox/kinds/registry/execution-times.js';
import { type DirectPartner, directSandbox } from '../support/direct-partner.js';
import { bodies, whitelisting } from '../support/partner.js';

const quoting = async (partner: DirectPartner) =>
  (await partner.post(`${partner.account}/quotes`, bodies.quote)).body.data.id as string;
const shown = async (partner: DirectPartner, id: string) => {
  const { status, body } = await partner.get(`${partner.account}/quotes/${id}`);
  return status === 200 ? body.data.status : status;
};
const executing = (partner: DirectPartner, id: string) => partner.post(`${partner.account}/quotes/${id}/execute`);

describe('execution times', () => {
  test('a quote is executing for as long', async () => {
    const partner = directSandbox({ settings: { executionTimes: { 'quote.finish': 60_000 } } });
    const id = await quoting(partner);
    await executing(partner, id);
    partner.sandbox.advance(59_999);
    expect(await shown(partner, id)).toBe('executing');
    partner.sandbox.advance(1);
    expect(await shown(partner, id)).toBe('executed');
  });

  test('0 is over with the next request; others keep their time', async () => {
    const partner = directSandbox({ settings: { executionTimes: { 'quote.finish': 0 } } });
    const id = await quoting(partner);
    await executing(partner, id);
    expect(await shown(partner, id)).toBe('executed');
    await partner.call(whitelisting(partner));
    expect(partner.sandbox.wallets.list().at(-1)?.status).toBe('pending');
    partner.sandbox.advance(5_000);
    expect(partner.sandbox.wallets.list().at(-1)?.status).toBe('approved');
  });

  test('what is planned keeps its time in a snapshot; what is planned later has the new one', async () => {
    const partner = directSandbox({ settings: { executionTimes: { 'wallet.screen': 60_000 } } });
    await partner.call(whitelisting(partner));
    const restored = createSandbox({ snapshot: partner.sandbox.snapshot() });
    restored.advance(59_999);
    expect(restored.wallets.list().at(-1)?.status).toBe('pending');
    restored.advance(1);
    expect(restored.wallets.list().at(-1)?.status).toBe('approved');
  });

  test('are there for every step but those that come again, expire or have a time of their own; the document names all', () => {
    const own = [
      'earn.reward',
      'expected_deposit.expire',
      'bank_link.eligible',
      'bank_link.ineligible',
      'limit.restore',
    ];
    const steps = Object.keys(STEPS);
    expect([...EXECUTION_STEPS, ...own].sort()).toEqual(steps.sort());
    const document = readFileSync('docs/sandbox/sandbox-trouble.md', 'utf8');
    for (const name of EXECUTION_STEPS) expect(document).toContain(`\`${name}\``);
  });
});
