import { beforeEach, describe, expect, test } from 'vitest';
import { createSandbox, type RegisteredWebhook, type Sandbox } from '../../../src/sandbox/index.js';
import { verifyWebhook } from '../../../src/webhooks/index.js';
import { Partner } from '../support/partner.js';
import { answering, Receiver } from './support/receiver.js';
import { inProcess, NOWHERE, only, pass, sandboxOf, sendEvents } from './support/sending.js';
import { expectSignedBy } from './support/signed.js';

let sandbox: Sandbox;
let api: Partner;
beforeEach(async () => {
  sandbox = inProcess();
  api = new Partner(sandbox, (await sandbox.listen()).url);
});

const page = async (query = '') => (await api.get(`/v1/webhooks${query}`)).body;
const all = async (pageSize = 25, pages: string[][] = [], token?: string): Promise<string[]> => {
  const { data, next_page_token } = await page(`?page_size=${pageSize}${token ? `&page_token=${token}` : ''}`);
  pages.push(data.map(({ id }: { id: string }) => id));
  return next_page_token === undefined ? pages.flat() : all(pageSize, pages, next_page_token);
};

describe('webhooks.register', () => {
  test('gives the webhook as the API lists it, with a signing secret', async () => {
    const { signing_secret, ...listed } = sandbox.webhooks.register({
      url: 'https://partner.test/hooks?a=1#there',
      events: ['quote.executed', 'some.kind.of.tomorrow'],
      description: 'Production',
    });
    expect(Buffer.from(signing_secret, 'base64')).toHaveLength(32);
    expect(listed).toEqual({
      id: expect.stringMatching(/^ep_/),
      url: 'https://partner.test/hooks?a=1#there',
      description: 'Production',
      created_at: expect.stringMatching(/^2026-01-15T12:00:00\.000\d{3}Z$/),
      updated_at: listed.created_at,
      events: ['quote.executed', 'some.kind.of.tomorrow'],
    });
    expect((await page('?page_size=1')).data).toEqual([listed]);
  });

  test('gives every webhook another id and another secret, also after a restart', () => {
    const made = (one: Sandbox): RegisteredWebhook[] =>
      Array.from({ length: 20 }, () => one.webhooks.register({ url: NOWHERE }));
    const before = made(sandbox);
    const webhooks = [...before, ...made(createSandbox({ snapshot: sandbox.snapshot() }))];
    expect(new Set(webhooks.map(({ id }) => id))).toHaveProperty('size', 40);
    expect(new Set(webhooks.map(({ signing_secret }) => signing_secret))).toHaveProperty('size', 40);
  });

  test('takes its argument over: what becomes of that later changes nothing', async () => {
    const events = ['deposit.completed'];
    const { id, ...made } = sandbox.webhooks.register({ url: NOWHERE, events });
    events.length = 0;
    made.events.length = 0;
    made.url = '';
    expect((await page('?page_size=1')).data).toMatchObject([{ id, url: NOWHERE, events: ['deposit.completed'] }]);
  });

  test.each<[unknown, RegExp]>([
    [undefined, /^webhooks\.register: input is missing/],
    [{}, /^webhooks\.register: url is missing/],
    [{ url: '' }, /^webhooks\.register: url must be an http or https URL/],
    [{ url: 'partner.test/hooks' }, /url must be an http or https URL/],
    [{ url: 'ftp://partner.test/' }, /url must be an http or https URL/],
    [{ url: 'https://name@partner.test/' }, /without credentials/],
    [{ url: 'https://:hunter2@partner.test/' }, /without credentials/],
    [{ url: `https://partner.test/${'x'.repeat(2029)}` }, /at most 2048 characters/],
    [{ url: NOWHERE, events: 'quote.executed' }, /^webhooks\.register: events must/],
    [{ url: NOWHERE, events: [''] }, /^webhooks\.register: events\.0 must/],
    [{ url: NOWHERE, events: [] }, /^webhooks\.register: events must/],
    [{ url: NOWHERE, scheme: 'plain' }, /^webhooks\.register: scheme must/],
    [{ url: NOWHERE, description: 7 }, /^webhooks\.register: description must/],
    [{ url: NOWHERE, secret: 'mine' }, /^webhooks\.register: input must not have secret; known are url/],
  ])('refuses %j', (input, message) => {
    const register = () => sandbox.webhooks.register(input as never);
    expect(register).toThrow(TypeError);
    expect(register).toThrow(message);
    expect(register).not.toThrow('hunter2');
  });

  test('takes a URL of 2,048 characters', () => {
    const url = `https://partner.test/${'x'.repeat(2027)}`;
    expect(url).toHaveLength(2048);
    expect(sandbox.webhooks.register({ url }).url).toBe(url);
  });
});

describe('webhooks.update', () => {
  test('changes what it is given, and nothing else', async () => {
    const { signing_secret: _, ...made } = sandbox.webhooks.register({ url: NOWHERE, description: 'old' });
    sandbox.advance(1_000);
    const changed = sandbox.webhooks.update(made.id, { description: 'new' });
    expect(changed).toEqual({ ...made, description: 'new', updated_at: expect.stringMatching(/12:00:01\.000\d{3}Z$/) });
    expect(sandbox.webhooks.update(made.id, { url: 'http://127.0.0.1:1/', events: ['quote.executed'] })).toMatchObject({
      url: 'http://127.0.0.1:1/',
      events: ['quote.executed'],
      description: 'new',
    });
    const disabled = sandbox.webhooks.update(made.id, { disabled: true });
    expect(disabled.disabled).toBe(true);
    expect((await page('?page_size=1')).data).toEqual([disabled]);
    expect(sandbox.webhooks.update(made.id, { disabled: false })).not.toHaveProperty('disabled');
  });

  test('never goes back in time, also within one millisecond', () => {
    const stamps = [sandbox.webhooks.register({ url: NOWHERE })].map(({ created_at }) => created_at);
    const { id, updated_at } = sandbox.webhooks.register({ url: NOWHERE });
    stamps.push(updated_at);
    for (let index = 0; index < 50; index += 1) stamps.push(sandbox.webhooks.update(id, {}).updated_at);
    expect(stamps).toEqual([...new Set(stamps)].sort());
  });

  test('sends what is pending to the new address', async () => {
    const old = await Receiver.open(answering(500));
    const next = await Receiver.open();
    const sending = sandboxOf();
    const { id } = sending.webhooks.register({ url: old.url });
    await sendEvents(sending);
    sending.webhooks.update(id, { url: next.url, events: ['quote.executed'] });
    await pass(sending, 5_000);
    expect(only(sending)).toMatchObject({ status: 'delivered', attempts: [{ url: old.url }, { url: next.url }] });
    expect(next.ids).toEqual(old.ids);
  });

  test.each<[unknown, RegExp]>([
    [{ url: 'file:///etc/passwd' }, /^webhooks\.update: url must be an http or https URL/],
    [{ disabled: 'yes' }, /^webhooks\.update: disabled must/],
    [{ events: [] }, /^webhooks\.update: events must/],
    [{ scheme: 'plain' }, /^webhooks\.update: scheme must be one of timestamped, body, standard/],
    [{ form: 'bare' }, /^webhooks\.update: form must be one of enveloped, flat/],
    [{ secret: 'mine' }, /^webhooks\.update: change must not have secret; known are url/],
    [null, /^webhooks\.update: change must be an object/],
  ])('refuses %j', (change, message) => {
    const { id } = sandbox.webhooks.register({ url: NOWHERE });
    expect(() => sandbox.webhooks.update(id, change as never)).toThrow(TypeError);
    expect(() => sandbox.webhooks.update(id, change as never)).toThrow(message);
  });
});

describe('webhooks.rotateSecret', () => {
  const HOUR = 3_600_000;
  let receiver: Receiver;
  let sending: Sandbox;
  let webhook: RegisteredWebhook;
  beforeEach(async () => {
    receiver = await Receiver.open();
    sending = sandboxOf();
    webhook = sending.webhooks.register({ url: receiver.url });
  });

  const rotate = (overlapMs?: number) => sending.webhooks.rotateSecret(webhook.id, { overlapMs }).signing_secret;
  /** Expects that a delivery at this moment is signed by these. */
  const expectSigners = async (...secrets: string[]) => {
    await sendEvents(sending);
    const delivery = receiver.received.at(-1);
    if (delivery === undefined) throw new Error('nothing came in');
    expectSignedBy(delivery, secrets);
    for (const [secretIndex, secret] of secrets.entries()) {
      const { body, headers } = delivery;
      expect(verifyWebhook({ body, headers, secret })).toMatchObject({ type: 'deposit.completed' });
      expect(verifyWebhook({ body, headers, secrets: secrets.slice(secretIndex) })).toMatchObject({ secretIndex: 0 });
    }
  };

  test('signs with both secrets, the new one first, until 24 hours have passed', async () => {
    const next = rotate();
    expect(next).not.toBe(webhook.signing_secret);
    await expectSigners(next, webhook.signing_secret);
    sending.advance(24 * HOUR - 1);
    await expectSigners(next, webhook.signing_secret);
    sending.advance(1);
    await expectSigners(next);
  });

  test('gives every secret that was replaced its own overlap', async () => {
    const first = webhook.signing_secret;
    const second = rotate(10 * HOUR);
    sending.advance(HOUR);
    const third = rotate(2 * HOUR);
    const fourth = rotate(4 * HOUR);
    await expectSigners(fourth, third, second, first);
    sending.advance(2 * HOUR);
    await expectSigners(fourth, third);
    sending.advance(2 * HOUR);
    await expectSigners(fourth);
  });

  test('does not lengthen an earlier overlap', async () => {
    const first = webhook.signing_secret;
    const second = rotate(HOUR);
    const third = rotate(100 * HOUR);
    await expectSigners(third, second, first);
    sending.advance(HOUR);
    await expectSigners(third, second);
  });

  test('without overlap ends all earlier secrets at once, as when one has leaked', async () => {
    rotate(HOUR);
    await expectSigners(rotate(0));
  });

  test('signs an attempt by the secrets of its own moment', async () => {
    receiver.behave = answering(500);
    await sendEvents(sending);
    const next = rotate(1_000);
    await pass(sending, 5_000);
    const [before, after] = receiver.received;
    if (before === undefined || after === undefined) throw new Error('two attempts were expected');
    expectSignedBy(before, [webhook.signing_secret]);
    expectSignedBy(after, [next]);
  });

  test('shows the webhook as it is listed', () => {
    const { signing_secret: _, ...listed } = webhook;
    expect(sending.webhooks.rotateSecret(webhook.id)).toEqual({ ...listed, signing_secret: expect.any(String) });
  });

  test("signs with the newest alone in the scheme 'body', which has room for one signature", async () => {
    const { id } = sending.webhooks.register({ url: receiver.url, scheme: 'body', events: ['deposit.completed'] });
    sending.webhooks.remove(webhook.id);
    const secret = sending.webhooks.rotateSecret(id).signing_secret;
    await sendEvents(sending);
    const [{ body = '', headers = {} } = {}] = receiver.received;
    expect(headers['x-signature']).toMatch(/^[0-9a-f]{64}$/);
    expect(verifyWebhook({ body, headers: headers as Record<string, string>, secret, scheme: 'body' })).toBeDefined();
  });

  test.each([
    { overlapMs: -1 },
    { overlapMs: Number.NaN },
    { overlapMs: Number.POSITIVE_INFINITY },
    { overlapMs: '1' },
    { for: 1 },
    null,
  ])('refuses %j', (options) => {
    expect(() => sending.webhooks.rotateSecret(webhook.id, options as never)).toThrow(TypeError);
    expect(() => sending.webhooks.rotateSecret(webhook.id, options as never)).toThrow(/^webhooks\.rotateSecret: /);
  });
});

describe('GET /v1/webhooks', () => {
  test('goes on where a page ended while webhooks are registered and removed', async () => {
    const ids = await all();
    const first = await page('?page_size=10');
    sandbox.webhooks.register({ url: NOWHERE });
    // The last one of the page, and the next one.
    for (const id of ids.slice(9, 11)) sandbox.webhooks.remove(id);
    const second = await page(`?page_size=10&page_token=${first.next_page_token}`);
    expect(second.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(11, 21));
  });

  test('does not show on a later page what was registered after the first was read, whatever was removed', async () => {
    const first = await page('?page_size=5');
    for (const id of (await all()).slice(0, 30)) sandbox.webhooks.remove(id);
    const snapshot = sandbox.snapshot();
    const { id } = sandbox.webhooks.register({ url: NOWHERE });
    const later = await page(`?page_token=${first.next_page_token}`);
    expect(later.data).toHaveLength(2);
    expect(later.data.map((one: { id: string }) => one.id)).not.toContain(id);
    const restored = sandboxOf({ snapshot });
    const again = new Partner(restored, (await restored.listen()).url, restored.credentials);
    for (let index = 0; index < 10; index += 1) again.nextNonce();
    const other = restored.webhooks.register({ url: NOWHERE });
    const afterwards = await again.get(`/v1/webhooks?page_token=${first.next_page_token}`);
    expect(afterwards.body.data.map((one: { id: string }) => one.id)).not.toContain(other.id);
    expect(afterwards.body.data).toHaveLength(2);
  });
});

test.each<[string, (id: string) => unknown]>([
  ['webhooks.update', (id) => sandbox.webhooks.update(id, {})],
  ['webhooks.rotateSecret', (id) => sandbox.webhooks.rotateSecret(id)],
  ['webhooks.remove', (id) => sandbox.webhooks.remove(id)],
])('%s names itself when there is no such webhook', (method, call) => {
  const { id } = sandbox.webhooks.register({ url: NOWHERE });
  sandbox.webhooks.remove(id);
  for (const unknown of [id, 'ep_none'])
    expect(() => call(unknown)).toThrow(`${method}: there is no webhook ${unknown}`);
});
