import { expect, test } from 'vitest';
import { READABLE } from '../../../src/sandbox/serve/control/control-routes.js';
import { signature } from '../../support/signature.js';
import { askControl, bodies, openSandbox } from '../support/partner.js';

/** What hands secrets out on purpose. */
const WITH_SECRETS: readonly string[] = ['credentials', 'snapshot'];

test('no secret of an API key is in what the control plane reads, but where it is asked for', async () => {
  const partner = await openSandbox({ inspect: true, explain: true });
  const { sandbox, url } = partner;
  const { apiKey, apiSecret } = sandbox.credentials;
  const issued = sandbox.keys.issue({ nonceWindow: 5 });
  const path = '/v1/webhooks';
  await partner.get(path);
  await partner.post(`${partner.account}/quotes`, bodies.quote, {
    'Idempotency-Key': '5f0c6a1e-3b7d-4c52-9a86-2d1e7f4b8c90',
  });
  // Clients that confuse key and secret, or send the secret elsewhere.
  await partner.get(path, { 'API-Key': apiSecret });
  await partner.get(path, { 'API-Sign': apiSecret });
  await partner.get(path, { 'API-Nonce': apiSecret });
  await partner.get(path, { 'API-Sign': signature(issued.apiSecret, path, '5') });
  await fetch(`${url}/v1/users?secret=${apiSecret}`);
  await askControl(partner, 'POST keys/issue', [{}]);
  const secrets = [apiSecret, issued.apiSecret, sandbox.snapshot()['keys']].flatMap((one) =>
    typeof one === 'string' ? one : (one as { apiSecret: string }[]).map((key) => key.apiSecret),
  );
  const paths = [
    ...[...READABLE.keys()].filter((one) => !WITH_SECRETS.includes(one)),
    ...sandbox.journal.map(({ seq }) => `journal/${seq}`),
    `keys/${apiKey}`,
  ];
  for (const one of paths) {
    const answer = await fetch(`${url}/_sandbox/${one}`);
    const text = await answer.text();
    for (const secret of secrets) {
      expect([one, text.includes(secret), text.includes(encodeURIComponent(secret))]).toEqual([one, false, false]);
    }
  }
  for (const { seq } of sandbox.journal) {
    const text = JSON.stringify(sandbox.requests.get(seq));
    for (const secret of secrets) expect([seq, text.includes(secret)]).toEqual([seq, false]);
  }
  for (const one of WITH_SECRETS) expect(await (await fetch(`${url}/_sandbox/${one}`)).text()).toContain(apiSecret);
});

test('what was signed is in the details of a wrong signature, with inspect, and not in the answer', async () => {
  const partner = await openSandbox({ inspect: true });
  const path = '/v1/webhooks?page_size=2';
  const { body } = await partner.call({ method: 'GET', path, nonce: 7n, headers: { 'API-Sign': 'bm8=' } });
  const { seq } = partner.sandbox.journal.at(-1) ?? {};
  const data = partner.sandbox.requests.get(seq ?? 0);
  const expected = signature(partner.credentials.apiSecret, path, '7');
  expect(data?.signing).toEqual({
    path,
    nonce: '7',
    bodyBytes: 0,
    expected,
    received: 'bm8=',
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(JSON.stringify(body)).not.toContain(expected);
  const plain = await openSandbox();
  await plain.get(path, { 'API-Sign': 'bm8=' });
  expect(plain.sandbox.requests.get(plain.sandbox.journal.at(-1)?.seq ?? 0)?.signing).toBeUndefined();
});
