import { beforeEach, describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.js';
import { evmAddress } from '../support/addresses.js';
import { DirectPartner, directSandbox } from '../support/direct-partner.js';
import { whitelisting } from '../support/partner.js';

const partner = directSandbox();
beforeEach(() => partner.sandbox.reset());

const read = (id: string) => partner.get(`${partner.account}/funds/bank-links/${id}`);
const gone = { status: 404, type: 'funding_error', code: 'bank_link_not_found' };

describe('a bank link', () => {
  test('that is made is linked, with one account that may be used', async () => {
    const link = partner.sandbox.bankLinks.add(partner.sandbox.fixtures.accountId);
    expect(link).toMatchObject({ status: 'linked', accounts_eligibility_status: 'eligible' });
    expect(link.account_links).toMatchObject([{ status: 'active', eligibility_status: 'eligible' }]);
    expect(Date.parse(link.linked_at)).toBe(partner.sandbox.clock.now());
    const { account, ...shown } = link;
    expect(account).toBe(partner.sandbox.fixtures.accountId);
    expect((await read(link.bank_link_id)).body.data).toEqual(shown);
  });

  test.each(['eligible', 'ineligible'] as const)(
    'may be of unknown eligibility at first, and %s later',
    async (later) => {
      const { accountId } = partner.sandbox.fixtures;
      const made = partner.sandbox.bankLinks.add(accountId, { eligibility: later, unknownMs: 5_000 });
      const unknown = { status: 'linked', accounts_eligibility_status: 'unknown' };
      expect(made).toMatchObject({ ...unknown, account_links: [{ eligibility_status: 'unknown' }] });
      const link = async () => (await read(made.bank_link_id)).body.data;
      partner.sandbox.advance(4_999);
      expect({ account: accountId, ...(await link()) }).toEqual(made);
      const restored = createSandbox({ snapshot: JSON.parse(JSON.stringify(partner.sandbox.snapshot())) });
      partner.sandbox.advance(1);
      restored.advance(1);
      const known = { accounts_eligibility_status: later, account_links: [{ eligibility_status: later }] };
      expect(await link()).toMatchObject(known);
      expect(Object.keys((await link()).account_links[0]).at(-1)).toMatch(/^(eligible_rails|ineligibility_reasons)$/);
      const again = new DirectPartner(restored, partner.url, restored.keys.issue());
      const path = `${again.account}/funds/bank-links/${made.bank_link_id}`;
      expect((await again.get(path)).body.data).toEqual(await link());
    },
  );

  test('may be ineligible from the beginning', () => {
    const link = partner.sandbox.bankLinks.add(partner.sandbox.fixtures.accountId, { eligibility: 'ineligible' });
    expect(link).toMatchObject({ accounts_eligibility_status: 'ineligible' });
    for (const wrong of [{ unknownMs: -1 }, { eligibility: 'unknown' }, { eligible: true }, 5])
      expect(() => partner.sandbox.bankLinks.add(partner.sandbox.fixtures.accountId, wrong as never)).toThrow(
        TypeError,
      );
  });

  test('is of one account alone', async () => {
    const link = partner.sandbox.bankLinks.add(partner.sandbox.fixtures.secondaryAccountId);
    expect((await read(link.bank_link_id)).body.error).toMatchObject(gone);
  });

  test('belongs to an account that exists', () => {
    const { foreignAccountId: id } = partner.sandbox.fixtures;
    expect(() => partner.sandbox.bankLinks.add(id)).toThrow(`there is no account ${id}`);
  });
});

async function whitelist(address: string): Promise<string> {
  const answer = await partner.call({ ...whitelisting(partner), body: { via: 'ethereum', address } });
  expect(answer.body.data.status).toBe('pending');
  return answer.body.data.id;
}
const statusOf = (id: string) => partner.sandbox.wallets.list().find((wallet) => wallet.id === id)?.status;

describe('screening', () => {
  test('rejects each wallet with an address that was named, whenever it was named before the end', async () => {
    partner.sandbox.wallets.rejectAddress(evmAddress('ea21'));
    const early = await whitelist(evmAddress('ea21'));
    const late = await whitelist(evmAddress('1a7e'));
    const good = await whitelist(evmAddress('900d'));
    partner.sandbox.advance(4_999);
    partner.sandbox.wallets.rejectAddress(evmAddress('1a7e'));
    partner.sandbox.advance(1);
    expect([early, late, good].map(statusOf)).toEqual(['rejected', 'rejected', 'approved']);
    const again = await whitelist(evmAddress('ea21'));
    partner.sandbox.advance(5_000);
    expect(statusOf(again)).toBe('rejected');
  });

  test('is steered by text alone', () => {
    expect(() => partner.sandbox.wallets.rejectAddress('')).toThrow(TypeError);
    expect(() => partner.sandbox.wallets.rejectAddress(5 as unknown as string)).toThrow(TypeError);
  });

  test('shows wallets as copies', async () => {
    const id = await whitelist(evmAddress('900d'));
    const [wallet] = partner.sandbox.wallets.list();
    if (wallet !== undefined) wallet.status = 'approved';
    expect(statusOf(id)).toBe('pending');
  });
});
