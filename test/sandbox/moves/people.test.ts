import { describe, expect, test } from 'vitest';
import { askControl, bodies } from '../support/partner.js';
import { DAY_MS, type Data, Driven } from './support/driven.js';

const SCREENING_MS = 5_000;

async function whitelisted(driven: Driven, address = bodies.wallet.address): Promise<string> {
  return (await driven.post(`${driven.partner.account}/wallets/whitelist`, { via: 'bitcoin', address })).id;
}

describe('A wallet', () => {
  const events = async (driven: Driven) => (await driven.events()).map(([type, { status }]) => [type, status]);

  test.each([
    ['approve', 'approved'],
    ['reject', 'rejected'],
  ])('is screened at once by %s, and not again', async (move, status) => {
    const driven = await Driven.open();
    const id = await whitelisted(driven);
    expect(await driven.move(`wallets/${move}`, id)).toMatchObject({ id, status });
    driven.partner.sandbox.advance(SCREENING_MS);
    expect(await driven.read(`wallets/${id}`)).toMatchObject({ status });
    expect(await events(driven)).toEqual([['wallet.whitelisted', status]]);
    for (const again of ['approve', 'reject', 'keepPending']) {
      expect(await driven.refusal(`wallets/${again}`, id)).toBe(
        `wallets.${again}: the wallet ${id} is ${status} already`,
      );
    }
  });

  test('is kept pending for ever, also over a restart, until it is decided', async () => {
    const driven = await Driven.open();
    const id = await whitelisted(driven);
    await driven.move('wallets/keepPending', id);
    driven.partner.sandbox.advance(30 * DAY_MS);
    const later = await driven.restarted();
    later.partner.sandbox.advance(30 * DAY_MS);
    expect(await later.read(`wallets/${id}`)).toMatchObject({ status: 'pending' });
    expect(await later.move('wallets/approve', id)).toMatchObject({ status: 'approved' });
  });

  test('with a rejected address is approved once the address is taken back', async () => {
    const driven = await Driven.open();
    const { rejectedWalletAddress: address } = driven.partner.sandbox.fixtures;
    expect(await driven.read('wallets/rejectedAddresses')).toEqual([address]);
    await driven.move('wallets/rejectAddress', bodies.wallet.address);
    await driven.move('wallets/unrejectAddress', bodies.wallet.address);
    const id = await whitelisted(driven);
    driven.partner.sandbox.advance(SCREENING_MS);
    expect(await driven.read(`wallets/${id}`)).toMatchObject({ status: 'approved' });
    await driven.move('wallets/unrejectAddress', address);
    expect(await driven.read('wallets/rejectedAddresses')).toEqual([]);
    expect(await driven.refusal('wallets/unrejectAddress', address)).toContain(
      `the address ${address} is not rejected`,
    );
  });

  test('that nobody knows is named', async () => {
    const driven = await Driven.open();
    expect(await driven.refusal('wallets/approve', 'nobody')).toBe('wallets.approve: there is no wallet nobody');
  });
});

describe('A bank link', () => {
  const read = (driven: Driven, id: string) => driven.get(`${driven.partner.account}/funds/bank-links/${id}`);
  const FROM_BANK = { from: { type: 'bank', symbol: 'USD', amount: '25' }, to: { type: 'balance', symbol: 'BTC' } };

  test('changes its eligibility from read to read, with what goes with it', async () => {
    const driven = await Driven.open();
    const id = driven.partner.sandbox.fixtures.bankLinkId;
    for (const [eligibility, more] of [
      ['ineligible', { ineligibility_reasons: ['name_mismatch'] }],
      ['unknown', {}],
      ['eligible', { eligible_rails: ['ach'] }],
    ] as const) {
      const set = await driven.move('bankLinks/setEligibility', id, eligibility);
      const { account, ...link } = set;
      expect(account).toBe(driven.account);
      const shown = await read(driven, id);
      expect(shown).toEqual(link);
      expect(shown.accounts_eligibility_status).toBe(eligibility);
      for (const { account_link_id, account_last4, status, ...rest } of shown.account_links) {
        expect([account_link_id, account_last4, status]).not.toContain(undefined);
        expect(rest).toEqual({ eligibility_status: eligibility, ...more });
      }
    }
  });

  test('that is to become known stays as it was set', async () => {
    const driven = await Driven.open();
    const { bank_link_id: id } = await driven.move('bankLinks/add', driven.account, { unknownMs: 5_000 });
    await driven.move('bankLinks/setEligibility', id, 'ineligible');
    driven.partner.sandbox.advance(5_000);
    expect((await read(driven, id)).accounts_eligibility_status).toBe('ineligible');
  });

  test('without an eligible account lets nothing convert from a bank', async () => {
    const driven = await Driven.open();
    const links: Data[] = await driven.read('bankLinks');
    for (const { bank_link_id: id } of links) await driven.move('bankLinks/setEligibility', id, 'unknown');
    expect(await driven.refusal('accounts/convert', driven.account, FROM_BANK)).toContain('no linked bank account');
    const own = links.find(({ account }) => account === driven.account)?.bank_link_id;
    await driven.move('bankLinks/setEligibility', own, 'eligible');
    expect(await driven.move('accounts/convert', driven.account, FROM_BANK)).toMatchObject({ status: 'converting' });
  });

  test('without identity has no account, and none that becomes eligible', async () => {
    const driven = await Driven.open();
    const { account_links: linked, ...more } = await driven.move('bankLinks/add', driven.account, {
      missingIdentity: true,
    });
    expect(linked).toEqual([]);
    expect(more).toMatchObject({
      accounts_eligibility_status: 'unknown',
      not_linked_accounts: [{ account_last4: expect.stringMatching(/^\d{4}$/), reason: 'missing_identity' }],
    });
    expect((await read(driven, more.bank_link_id)).account_links).toEqual([]);
    expect(await driven.refusal('bankLinks/setEligibility', more.bank_link_id, 'eligible')).toContain(
      'has no accounts',
    );
    const both = { missingIdentity: true, eligibility: 'eligible' };
    expect(await driven.refusal('bankLinks/add', driven.account, both)).toContain('missingIdentity leaves no account');
  });

  test('is unlinked for good, by its method and with DELETE', async () => {
    const driven = await Driven.open();
    const links = (await driven.read('bankLinks')).filter(({ account }: Data) => account === driven.account);
    const [first, second] = links.map(({ bank_link_id: id }: Data) => id);
    await driven.move('bankLinks/remove', first);
    expect((await askControl(driven.partner, `DELETE bankLinks/${second}`)).status).toBe(200);
    for (const id of [first, second]) {
      expect((await driven.partner.get(`${driven.partner.account}/funds/bank-links/${id}`)).status).toBe(404);
      expect(await driven.refusal('bankLinks/remove', id)).toBe(`bankLinks.remove: there is no bank link ${id}`);
      expect(await driven.refusal('bankLinks/setEligibility', id, 'eligible')).toContain(`there is no bank link ${id}`);
    }
    expect(await driven.refusal('bankLinks/setEligibility', links[2].bank_link_id, 'good')).toMatch(/eligible/);
  });
});

describe('A verification', () => {
  const read = async (driven: Driven, user: string) =>
    (await driven.get(`/v1/users/${encodeURIComponent(user)}/verifications`)).verifications;

  test('of the seed moves in every direction, and time leaves it alone', async () => {
    const driven = await Driven.open();
    const { userId } = driven.partner.sandbox.fixtures;
    const [{ verification_id: id }] = await read(driven, userId);
    const reasons = [{ code: 'wrong_side', details: ['turn it'] }];
    expect(await driven.move('users/setVerification', id, 'failed', reasons)).toMatchObject({
      status: 'failed',
      reasons,
    });
    const pending = await driven.move('users/setVerification', id, 'pending');
    expect([pending.status, pending.reasons]).toEqual(['pending', undefined]);
    driven.partner.sandbox.advance(DAY_MS);
    expect((await read(driven, userId))[0]).toEqual(pending);
    const completed = await driven.move('users/setVerification', id, 'completed');
    expect((await read(driven, userId))[0]).toEqual(completed);
    expect(await driven.refusal('users/setVerification', id, 'completed')).toBe(
      `users.setVerification: the verification ${id} is completed already`,
    );
    expect(await driven.refusal('users/setVerification', id, 'failed', [])).toMatch(/^users\.setVerification: /);
    expect(await driven.refusal('users/setVerification', id, 'pending', reasons)).toContain(
      'reasons are only for failed',
    );
    expect(await driven.refusal('users/setVerification', id, 'lost')).toMatch(/pending/);
    expect(await driven.refusal('users/setVerification', 'nobody', 'failed')).toContain('no verification nobody');
  });

  test('takes its user along, and may be asked for anew', async () => {
    const driven = await Driven.open();
    const { id: user } = await driven.post('/v1/users', bodies.user);
    const submit = () => driven.post(`/v1/users/${user}/verifications/url`, bodies.document);
    const { verification_id: id } = await submit();
    const statusOf = async () => (await driven.get(`/v1/users/${user}`)).status;
    await driven.move('users/setVerification', id, 'failed');
    expect(await statusOf()).toMatchObject({ state: 'pending', required_actions: [{ type: 'submit_verification' }] });
    await driven.move('users/setVerification', id, 'pending');
    expect(await statusOf()).toEqual({ state: 'pending', required_actions: [] });
    driven.partner.sandbox.advance(DAY_MS);
    expect(await statusOf()).toEqual({ state: 'pending', required_actions: [] });
    await driven.move('users/setVerification', id, 'completed');
    expect(await statusOf()).toEqual({ state: 'ok', required_actions: [] });
  });
});

describe('Users and accounts', () => {
  test('are added while the sandbox runs, with money from outside', async () => {
    const driven = await Driven.open();
    const balances = { BTC: '2', 'xstock:SPX': '0.5' };
    const user = await driven.move('users/add', { external_reference: 'customer-17', balances });
    expect(user).toMatchObject({ external_reference: 'customer-17', status: { state: 'ok', required_actions: [] } });
    expect(await driven.get(`/v1/users/${user.id}`)).toEqual(user);
    const added = await driven.move('accounts/add', user.id, { name: 'savings', balances: { USD: '10.00' } });
    expect(added).toMatchObject({ name: 'savings' });
    expect(await driven.move('accounts/add', user.id)).toMatchObject({ name: 'account-3' });
    const names = (await driven.get(`/v1/users/${user.id}`)).accounts.map(({ name }: Data) => name);
    expect(names).toEqual(['main', 'savings', 'account-3']);
    const held = async (id: string) =>
      (await driven.get(`/v1/accounts/${id}/portfolio/details`)).map(({ symbol, type, total }: Data) => [
        type,
        symbol,
        total,
      ]);
    expect(await held(user.accounts[0].id)).toEqual([
      ['crypto', 'BTC', '2.00000000'],
      ['xstock', 'SPX', '0.50000000'],
    ]);
    expect(await held(added.id)).toEqual([['fiat', 'USD', '10.00']]);
    expect((await driven.read('accounts/books')).outside).toEqual({
      'crypto:BTC': '-2',
      'xstock:SPX': '-0.5',
      'fiat:USD': '-10',
    });
    const later = await driven.restarted();
    expect(await later.get(`/v1/users/${user.id}`)).toMatchObject({ accounts: [{}, { name: 'savings' }, {}] });
    const body = { ...bodies.quote, from: { ...bodies.quote.from, amount: '1.00' } };
    expect((await later.post(`/v1/accounts/${added.id}/quotes`, body)).status).toBe('offered');
  });

  test('are refused where they would be twice, wrong or of nobody', async () => {
    const driven = await Driven.open();
    const users = (await driven.read('users')).length;
    const [{ external_reference: taken, id }] = await driven.read('users');
    expect(await driven.refusal('users/add', { external_reference: taken })).toContain(`${taken} already`);
    expect(await driven.refusal('users/add', { external_reference: 'x', balances: { NONE: '1' } })).toContain(
      'no asset NONE',
    );
    expect(await driven.refusal('users/add', { external_reference: 'x', balances: { BTC: 1 } })).toMatch(
      /balances\.BTC/,
    );
    expect(await driven.refusal('users/add', { external_reference: 'x', name: 'y' })).toMatch(/name/);
    expect(await driven.refusal('accounts/add', 'nobody')).toBe('accounts.add: there is no user nobody');
    expect(await driven.refusal('accounts/add', id, { name: 'main' })).toContain('an account main already');
    expect(await driven.refusal('accounts/add', id, { balances: { BTC: '-1' } })).toMatch(/balances\.BTC/);
    expect((await driven.read('users')).length).toBe(users);
  });
});

describe('The one-time password', () => {
  const whitelist = (driven: Driven, otp: string) =>
    driven.partner.post(`${driven.partner.account}/wallets/whitelist`, bodies.wallet, { 'API-Otp': otp });

  test('is set while the sandbox runs, stays over a restart, and every one is taken again after null', async () => {
    const driven = await Driven.open();
    expect(await driven.read('otp')).toBe(null);
    await driven.move('otp/set', '271828');
    expect([(await whitelist(driven, '1')).status, (await whitelist(driven, '271828')).status]).toEqual([401, 200]);
    expect(driven.partner.sandbox.journal.at(-2)?.verdict).toBe('wrong_otp');
    const later = await driven.restarted();
    expect([await later.read('otp'), (await whitelist(later, '1')).status]).toEqual(['271828', 401]);
    await later.move('otp/set', null);
    expect((await whitelist(later, '1')).status).toBe(200);
    expect(await later.refusal('otp/set', 'two words')).toContain('must be a string of 1 to 64');
    expect(await later.refusal('otp/set', 5)).toMatch(/^otp\.set: /);
  });

  test('of the options is replaced, and stands again after a reset', async () => {
    const driven = await Driven.open({ otp: '314159' });
    expect(await driven.read('otp')).toBe('314159');
    await driven.move('otp/set', null);
    expect((await whitelist(driven, '1')).status).toBe(200);
    await driven.move('reset');
    expect((await whitelist(driven, '1')).status).toBe(401);
  });
});
