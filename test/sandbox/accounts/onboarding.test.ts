import { describe, expect, test } from 'vitest';
import { createSandbox, type SandboxUserInput } from '../../../src/sandbox/index.js';
import { ADDRESSES } from '../support/addresses.js';
import { type DirectPartner, directSandbox } from '../support/direct-partner.js';
import { bodies, requestOf } from '../support/partner.js';

const MINUTE = 60_000;
const { user: PERSON, document: DOCUMENT } = bodies;
const TO_DO = [{ type: 'submit_verification', verification: 'proof_of_identity' }];

async function newUser(partner: DirectPartner, body: object = PERSON): Promise<{ id: string; account: string }> {
  const { body: answer } = await partner.post('/v1/users', body);
  return { id: answer.data.id, account: answer.data.accounts[0].id };
}
const statusOf = async (partner: DirectPartner, id: string) => (await partner.get(`/v1/users/${id}`)).body.data.status;
const submit = async (partner: DirectPartner, id: string, more: object = {}) =>
  (await partner.post(`/v1/users/${id}/verifications/url`, { ...DOCUMENT, ...more })).body.data.verification_id;
const verificationsOf = async (partner: DirectPartner, id: string) =>
  (await partner.get(`/v1/users/${id}/verifications`)).body.data.verifications;

describe('a new user', () => {
  test('is pending until a document was verified, a minute after it was submitted', async () => {
    const partner = directSandbox();
    const { body } = await partner.post('/v1/users', PERSON);
    expect(body).toEqual({
      data: { id: expect.stringMatching(/^AU/), accounts: [{ id: expect.stringMatching(/^AA/), name: 'main' }] },
    });
    const { id } = body.data;
    expect((await partner.get(`/v1/users/${id}`)).body.data).toEqual({
      id,
      external_reference: 'customer-ada',
      type: 'individual',
      accounts: body.data.accounts,
      status: { state: 'pending', required_actions: TO_DO },
      created_at: '2026-01-15T12:00:00.000Z',
    });

    const verification_id = await submit(partner, id);
    expect(await statusOf(partner, id)).toEqual({ state: 'pending', required_actions: [] });
    const submitted = {
      verification_id,
      types: ['proof_of_identity'],
      method: 'url',
      status: 'pending',
      created_at: '2026-01-15T12:00:00.000Z',
      updated_at: '2026-01-15T12:00:00.000Z',
    };
    expect(await verificationsOf(partner, id)).toEqual([submitted]);

    partner.sandbox.advance(MINUTE - 1);
    expect(await statusOf(partner, id)).toEqual({ state: 'pending', required_actions: [] });
    partner.sandbox.advance(1);
    expect(await statusOf(partner, id)).toEqual({ state: 'ok', required_actions: [] });
    const completed = { ...submitted, status: 'completed', updated_at: '2026-01-15T12:01:00.000Z' };
    expect(await verificationsOf(partner, id)).toEqual([completed]);
  });

  test('whose document cannot be read has to submit another', async () => {
    const partner = directSandbox();
    const { id } = await newUser(partner);
    await submit(partner, id, { front_url: 'https://documents.example/unreadable-wrong_side.jpg?a=b' });
    partner.sandbox.advance(MINUTE);
    expect(await statusOf(partner, id)).toEqual({ state: 'pending', required_actions: TO_DO });
    expect(await verificationsOf(partner, id)).toMatchObject([
      { status: 'failed', reasons: [{ code: 'unreadable' }, { code: 'wrong_side' }] },
    ]);
    await submit(partner, id);
    partner.sandbox.advance(MINUTE);
    expect(await statusOf(partner, id)).toEqual({ state: 'ok', required_actions: [] });
    expect((await verificationsOf(partner, id)).map(({ status }: { status: string }) => status)).toEqual([
      'failed',
      'completed',
    ]);
  });

  test('submits three kinds of documents, in two forms, of which the identity decides', async () => {
    const partner = directSandbox();
    const { id } = await newUser(partner);
    const [front_url, bad] = ['https://documents.example/a.jpg', 'https://documents.example/wrong_side.jpg'];
    const send = (body: object) => partner.post(`/v1/users/${id}/verifications/url`, body);
    const selfie = { center_url: front_url, left_url: front_url, right_url: bad };
    for (const body of [
      { document_url: front_url },
      selfie,
      { proof_of_address: { document_url: bad } },
      { proof_of_liveness: { ...selfie, right_url: front_url } },
    ]) {
      expect((await send(body)).status).toBe(200);
    }
    partner.sandbox.advance(MINUTE);
    expect(await statusOf(partner, id)).toEqual({ state: 'pending', required_actions: TO_DO });
    await send({ proof_of_identity: { front_url, back_url: bad }, proof_of_address: { document_url: front_url } });
    partner.sandbox.advance(MINUTE);
    expect(await statusOf(partner, id)).toEqual({ state: 'pending', required_actions: TO_DO });
    await send({ proof_of_identity: { front_url } });
    partner.sandbox.advance(MINUTE);
    expect(await statusOf(partner, id)).toEqual({ state: 'ok', required_actions: [] });

    const seen = await verificationsOf(partner, id);
    expect(seen.map(({ types, status }: { types: string[]; status: string }) => [types.join(), status])).toEqual([
      ['proof_of_address', 'completed'],
      ['proof_of_liveness', 'failed'],
      ['proof_of_address', 'failed'],
      ['proof_of_liveness', 'completed'],
      ['proof_of_identity,proof_of_address', 'failed'],
      ['proof_of_identity', 'completed'],
    ]);
    const { status, body } = await send({ type: 'identity_document' });
    expect([status, body.error.causes[0].field]).toEqual([400, 'front_url']);
  });

  test('who was blocked is not unblocked by a document', async () => {
    const partner = directSandbox();
    const { id } = await newUser(partner);
    await submit(partner, id);
    partner.sandbox.users.setStatus(id, { state: 'blocked' });
    partner.sandbox.advance(MINUTE);
    expect(await statusOf(partner, id)).toMatchObject({ state: 'blocked' });
    expect(await verificationsOf(partner, id)).toMatchObject([{ status: 'completed' }]);
  });

  test('is the same for the same external_reference, headless or not, and as it was', async () => {
    const partner = directSandbox();
    const first = await partner.post('/v1/users', PERSON);
    const again = await partner.post('/v1/users', { ...PERSON, email: 'other@customer.example' });
    const headless = await partner.post('/v1/users/headless', { external_reference: 'customer-ada' });
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(headless.body).toEqual(first.body);
    expect(partner.sandbox.users.get(first.body.data.id).profile).toMatchObject({ email: 'ada@customer.example' });
    expect(partner.sandbox.users.list().filter((user) => user.external_reference === 'customer-ada')).toHaveLength(1);
    const [seeded] = partner.sandbox.users.list();
    const { external_reference } = seeded ?? {};
    const known = await partner.post('/v1/users/headless', { external_reference });
    expect(known.body).toEqual({ data: { id: seeded?.id, accounts: seeded?.accounts } });
  });

  test('without personal data is ok at once', async () => {
    const partner = directSandbox();
    const { body } = await partner.post('/v1/users/headless', { external_reference: 'h' });
    expect(await statusOf(partner, body.data.id)).toEqual({ state: 'ok', required_actions: [] });
    expect(partner.sandbox.users.get(body.data.id).profile).toEqual({});
  });

  test('is changed member by member, and what nobody documents is kept', async () => {
    const partner = directSandbox();
    const { id } = await newUser(partner, { ...PERSON, occupation: 'countess', tax: { id: 5 } });
    const changes = {
      full_name: { last_name: 'Lovelace' },
      phone: null,
      birth: { date: '1815-12-10' },
      nickname: 'Enchantress',
    };
    const answer = await partner.call(requestOf(`PATCH /v1/users/${id}`, changes));
    expect([answer.status, answer.body]).toEqual([200, { data: 'success' }]);
    const { external_reference: _, ...given } = PERSON;
    expect(partner.sandbox.users.get(id).profile).toEqual({
      ...given,
      occupation: 'countess',
      tax: { id: 5 },
      phone: null,
      birth: { date: '1815-12-10' },
      full_name: { first_name: 'Ada', last_name: 'Lovelace' },
      nickname: 'Enchantress',
    });
    for (const path of ['/v1/users/AU-NOBODY-NOBODY', '/v1/users/AU-NOBODY-NOBODY/verifications/url']) {
      const method = path.endsWith('url') ? 'POST' : 'PATCH';
      expect((await partner.call({ method, path, body: DOCUMENT })).status).toBe(403);
    }
    expect(() => partner.sandbox.users.get('nobody')).toThrow('there is no user nobody');
  });

  test('has an account without money that works with everything', async () => {
    const partner = directSandbox({ enforceUserStatus: true });
    const { id, account } = await newUser(partner);
    const path = `/v1/accounts/${account}`;
    expect((await partner.get(`${path}/portfolio/details`)).status).toBe(403);
    await submit(partner, id);
    partner.sandbox.advance(MINUTE);

    expect((await partner.get(`${path}/portfolio/details`)).body.data).toEqual([]);
    const limits = (await partner.get(`${path}/funds/deposits/limits/USD`)).body.data;
    expect(limits).toHaveLength(1);
    expect(limits[0].period_limits[0].remaining).toBe(limits[0].period_limits[0].maximum);
    partner.sandbox.accounts.deposit(account, { symbol: 'USD', amount: '500' });
    const { data: quote } = (await partner.post(`${path}/quotes`, bodies.quote)).body;
    expect((await partner.post(`${path}/quotes/${quote.id}/execute`)).status).toBe(200);
    partner.sandbox.advance(2_000);
    expect((await partner.get(`${path}/quotes/${quote.id}`)).body.data.status).toBe('executed');
    const held = (await partner.get(`${path}/portfolio/details`)).body.data;
    expect(held.map(({ symbol, total }: { symbol: string; total: string }) => [symbol, total])).toEqual([
      ['USD', String(500 - Number(quote.from.amount))].map((text) => expect.stringContaining(text)),
      ['BTC', expect.stringContaining(quote.to.amount)],
    ]);
    const wallet = { via: 'ethereum', address: ADDRESSES.ethereum };
    expect((await partner.post(`${path}/wallets/whitelist`, wallet, { 'API-Otp': '1' })).status).toBe(200);
    expect((await partner.get(`${path}/on-demand-conversions`)).body.data).toEqual([]);
    expect((await partner.get(`/v1/users/${id}/assets?page_size=1`)).body.data).toHaveLength(1);
  });
});

describe('users of one’s own', () => {
  const users: SandboxUserInput[] = [
    { external_reference: 'mine', balances: { BTC: '2', 'xstock:SPX': '0.5', USD: '1000.00', ETH: '0' } },
    { external_reference: 'empty' },
  ];
  const idsOf = async (partner: DirectPartner, external_reference: string) =>
    (await partner.post('/v1/users/headless', { external_reference })).body.data;

  test('are beside those of the seed, which stay the same', async () => {
    const partner = directSandbox({ users });
    const plain = directSandbox();
    expect(partner.sandbox.users.list().slice(0, -2)).toEqual(plain.sandbox.users.list());
    expect(partner.sandbox.fixtures).toEqual(plain.sandbox.fixtures);
    const { id, accounts } = await idsOf(partner, 'mine');
    expect(await statusOf(partner, id)).toEqual({ state: 'ok', required_actions: [] });
    const details = (await partner.get(`/v1/accounts/${accounts[0].id}/portfolio/details`)).body.data;
    const totals = details.map(({ type, symbol, total }: Record<string, string>) => [type, symbol, Number(total)]);
    expect(totals).toEqual([
      ['crypto', 'BTC', 2],
      ['xstock', 'SPX', 0.5],
      ['fiat', 'USD', 1000],
    ]);
    const sold = { from: { symbol: 'BTC', type: 'crypto', amount: '2' }, to: { symbol: 'USD', type: 'fiat' } };
    const { data } = (await partner.post(`/v1/accounts/${accounts[0].id}/quotes`, sold)).body;
    await partner.post(`/v1/accounts/${accounts[0].id}/quotes/${data.id}/execute`);
    partner.sandbox.advance(2_000);
    const end = (await partner.get(`/v1/accounts/${accounts[0].id}/quotes/${data.id}`)).body.data;
    expect(end.status).toBe('executed');
  });

  test('that a snapshot has already stay as they are, others are added', async () => {
    const partner = directSandbox({ users });
    const { accounts } = await idsOf(partner, 'mine');
    partner.sandbox.accounts.deposit(accounts[0].id, { symbol: 'USD', amount: '1' });
    const snapshot = partner.sandbox.snapshot();
    const later = createSandbox({ snapshot, users: [...users, { external_reference: 'new', balances: { BTC: '1' } }] });
    expect(later.users.list().slice(0, -1)).toEqual(partner.sandbox.users.list());
    expect(later.users.list().at(-1)?.external_reference).toBe('new');
    expect(new Set(later.users.list().map(({ id }) => id)).size).toBe(later.users.list().length);
    const { accounts: kept } = later.snapshot() as unknown as { accounts: { id: string; holdings: object[] }[] };
    expect(kept.find(({ id }) => id === accounts[0].id)?.holdings).toContainEqual(
      expect.objectContaining({ asset: 'fiat:USD', total: '1001' }),
    );
  });

  test.each<[string, unknown, string]>([
    ['no list', {}, 'users must be'],
    ['no reference', [{}], 'users.0.external_reference is missing'],
    ['an empty reference', [{ external_reference: '' }], 'users.0.external_reference must have'],
    ['a number of money', [{ external_reference: 'a', balances: { BTC: 2 } }], 'users.0.balances.BTC must be'],
    ['money below 0', [{ external_reference: 'a', balances: { BTC: '-2' } }], 'users.0.balances.BTC must be a decimal'],
    [
      'an unknown asset',
      [{ external_reference: 'a', balances: { XYZ: '2' } }],
      'users.0.balances: there is no asset XYZ',
    ],
    ['a wrong class', [{ external_reference: 'a', balances: { 'fiat:BTC': '2' } }], 'there is no fiat asset BTC'],
    ['a member of another name', [{ external_reference: 'a', balance: {} }], 'users.0'],
    ['one reference twice', [users[1], users[1]], 'users.1.external_reference is that of an earlier user'],
  ])('%s is refused', (_, wrong, message) => {
    const create = () => createSandbox({ users: wrong as SandboxUserInput[] });
    expect(create).toThrow(TypeError);
    expect(create).toThrow(`createSandbox: `);
    expect(create).toThrow(message);
  });
});
