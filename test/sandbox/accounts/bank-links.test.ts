import { beforeEach, describe, expect, test } from 'vitest';
import { type DirectPartner, directSandbox } from '../support/direct-partner.js';

let partner: DirectPartner;
beforeEach(() => {
  partner = directSandbox();
});

const read = (id: string) => partner.get(`${partner.account}/funds/bank-links/${id}`);
const gone = { status: 404, type: 'funding_error', code: 'bank_link_not_found' };

describe('a bank link', () => {
  test('that is made is linked, with one account that may be used', async () => {
    const link = partner.sandbox.accounts.linkBank(partner.sandbox.fixtures.accountId);
    expect(link).toMatchObject({ status: 'linked', accounts_eligibility_status: 'eligible' });
    expect(link.account_links).toMatchObject([{ status: 'active', eligibility_status: 'eligible' }]);
    expect(Date.parse(link.linked_at)).toBe(partner.sandbox.clock.now());
    expect((await read(link.bank_link_id)).body.data).toEqual(link);
  });

  test('is of one account alone', async () => {
    const link = partner.sandbox.accounts.linkBank(partner.sandbox.fixtures.secondaryAccountId);
    expect((await read(link.bank_link_id)).body.error).toMatchObject(gone);
  });

  test('that is unlinked is gone for good, and the others stay', async () => {
    const { bankLinkId } = partner.sandbox.fixtures;
    const link = partner.sandbox.accounts.linkBank(partner.sandbox.fixtures.accountId);
    partner.sandbox.accounts.unlinkBank(bankLinkId);
    expect((await read(bankLinkId)).body.error).toMatchObject(gone);
    expect((await read(link.bank_link_id)).status).toBe(200);
    expect(() => partner.sandbox.accounts.unlinkBank(bankLinkId)).toThrow(`there is no bank link ${bankLinkId}`);
    partner.sandbox.advance(365 * 86_400_000);
    expect((await read(bankLinkId)).status).toBe(404);
  });

  test('that is made again has new ids throughout', () => {
    const { accountId } = partner.sandbox.fixtures;
    const links = Array.from({ length: 50 }, () => {
      const link = partner.sandbox.accounts.linkBank(accountId);
      partner.sandbox.accounts.unlinkBank(link.bank_link_id);
      return link;
    });
    const ids = links.flatMap((link) => [
      link.bank_link_id,
      ...link.account_links.map(({ account_link_id }) => account_link_id),
    ]);
    expect(new Set(ids).size).toBe(100);
  });

  test('belongs to an account that exists', () => {
    const { foreignAccountId } = partner.sandbox.fixtures;
    expect(() => partner.sandbox.accounts.linkBank(foreignAccountId)).toThrow(
      `there is no account ${foreignAccountId}`,
    );
  });
});
