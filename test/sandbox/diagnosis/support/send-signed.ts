import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { createSandbox, type Sandbox } from '../../../../src/sandbox/index.js';
import { right } from './signing-forms.js';
import { WRONG_SIGNINGS, type WrongSigning } from './wrong-signings.js';

let counter = 1_700_000_000_000_000_000n;

/** Sends a request with this signature. Returns its answer and the entry of the journal. */
export async function sendSigned(sandbox: Sandbox, wrong: WrongSigning, secret = sandbox.credentials.apiSecret) {
  counter += 1_000_003n;
  const { apiKey } = sandbox.credentials;
  const { target = '/v1/webhooks?page_size=2', body: text = '', nonce: own = String(counter) } = wrong;
  const method = text === '' ? 'GET' : 'POST';
  const sign = wrong.sign({ secret, apiKey, method, target, nonce: own, body: text });
  const headers = { 'API-Key': apiKey, 'API-Nonce': own, 'API-Sign': sign };
  const init = { method, headers, ...(text === '' ? {} : { body: text }) };
  const answer = await sandbox.fetch(new Request(`http://sandbox.example${target}`, init));
  return { status: answer.status, body: JSON.parse(await answer.text()), entry: sandbox.journal.at(-1) };
}

/** Mistakes that do not use the secret. */
const WITHOUT_SECRET: readonly string[] = ['empty secret', 'API key as secret'];

/** Signs rightly and in every wrong way with random secrets, so many times each. */
export async function expectNoName(times: number): Promise<void> {
  const sandbox = createSandbox();
  sandbox.keys.issue();
  const rightly: WrongSigning = { name: 'rightly', sign: (given) => right(given).toString('base64'), likely: '' };
  const signings = [rightly, ...WRONG_SIGNINGS.filter(({ name }) => !WITHOUT_SECRET.includes(name))];
  for (const wrong of signings.flatMap((one) => Array.from({ length: times }, () => one))) {
    const { entry } = await sendSigned(sandbox, wrong, randomBytes(64).toString('base64'));
    expect([wrong.name, entry?.verdict, entry?.likely]).toEqual([wrong.name, 'bad_signature', undefined]);
  }
}
