import { inspect } from 'node:util';
import { beforeEach, expect, test } from 'vitest';
import type { Delivery, DeliveryAttempt, Sandbox } from '../../../src/sandbox/index.js';
import { Partner } from '../support/partner.js';
import { inProcess, NOWHERE, only, outcomes, pass, sandboxOf, sendEvents } from './support/sending.js';

let sandbox: Sandbox;
let heard: [Delivery, DeliveryAttempt][];
/** Every secret that there was. */
let secrets: string[];
let signatures: string[];
let webhookId: string;

beforeEach(async () => {
  [heard, secrets, signatures] = [[], [], []];
  sandbox = inProcess(
    ({ headers }) => {
      const signature = headers.get('x-signature') ?? '';
      signatures.push(signature, ...(signature.match(/[0-9a-f]{64}/g) ?? []));
      // An application that tells too much: the secret that it knows, and what it was sent.
      throw new Error(`${secrets.join(' ')} ${encodeURIComponent(secrets[0] ?? '')} ${signature}`);
    },
    { onDelivery: (delivery, attempt) => heard.push([delivery, attempt]) },
  );
  const { id, signing_secret } = sandbox.webhooks.register({ url: NOWHERE, events: ['deposit.completed'] });
  webhookId = id;
  secrets.push(signing_secret);
  secrets.push(sandbox.webhooks.rotateSecret(id).signing_secret);
  await sendEvents(sandbox);
  await pass(sandbox, 5_000);
});

const expectNone = (text: string): void => {
  expect(signatures.length).toBeGreaterThan(0);
  for (const hidden of [...secrets, ...secrets.map(encodeURIComponent), ...signatures])
    expect(text).not.toContain(hidden);
};
const everything = { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null } as const;

test('a signing secret is in no delivery, and in no error that an application throws into one', () => {
  expect(outcomes(sandbox)).toEqual([expect.stringContaining('[redacted]'), expect.stringContaining('[redacted]')]);
  expectNone(JSON.stringify(sandbox.webhooks.listDeliveries()));
  expectNone(inspect([sandbox.webhooks.listDeliveries(), heard], everything));
});

test('a signing secret is not seen by looking into the sandbox', () => {
  expectNone(inspect(sandbox, everything));
  expectNone(JSON.stringify(sandbox));
});

test('a signing secret is in no list of the API and in no answer of webhooks.update', async () => {
  const { url } = await sandbox.listen();
  const { body } = await new Partner(sandbox, url).get('/v1/webhooks?page_size=25');
  expect(body.data.map(({ id }: { id: string }) => id)).toContain(webhookId);
  expectNone(JSON.stringify(body));
  expectNone(JSON.stringify(sandbox.webhooks.update(webhookId, { description: 'x' })));
  expectNone(JSON.stringify(sandbox.journal));
});

test('a signing secret is in no error of the sandbox', async () => {
  const { id } = only(sandbox);
  sandbox.webhooks.update(webhookId, { disabled: true });
  const errors = [await sandbox.webhooks.redeliver(id).catch((error: unknown) => error)];
  for (const run of [
    () => sandbox.webhooks.register({ url: NOWHERE, secret: secrets[0] } as never),
    () => sandbox.webhooks.rotateSecret(webhookId, { secret: secrets[0] } as never),
    () => sandbox.webhooks.remove('ep_none'),
  ]) {
    try {
      run();
    } catch (error) {
      errors.push(error);
    }
  }
  expect(errors).toHaveLength(4);
  for (const error of errors) expect(error).toBeInstanceOf(Error);
  expectNone(inspect(errors, everything));
});

test('the snapshot holds the signing secrets, so that a restored sandbox signs with them', async () => {
  const text = JSON.stringify(sandbox.snapshot());
  for (const secret of secrets) expect(text).toContain(secret);
  for (const signature of signatures) expect(text).not.toContain(signature);
  const restored = sandboxOf({ snapshot: JSON.parse(text) });
  expectNone(inspect(restored, everything));
});
