import { describe, expect, test } from 'vitest';
import { PartnerClient } from '../../../src/index.js';
import { DirectPartner, directSandbox } from '../support/direct-partner.js';
import { openSandbox } from '../support/partner.js';

const path = '/v1/webhooks';

/** A partner whose API key has this nonce window. */
function withWindow(nonceWindow: number): DirectPartner {
  const { sandbox, url } = directSandbox();
  return new DirectPartner(sandbox, url, sandbox.keys.issue({ nonceWindow }));
}

async function send(partner: DirectPartner, ...nonces: number[]): Promise<number[]> {
  const statuses = [];
  for (const nonce of nonces) statuses.push((await partner.call({ method: 'GET', path, nonce: BigInt(nonce) })).status);
  return statuses;
}

describe('a nonce window', () => {
  test('takes a lower nonce once', async () => {
    const partner = withWindow(2);
    expect(await send(partner, 100, 50, 50, 100, 70)).toEqual([200, 200, 401, 401, 200]);
    expect(partner.sandbox.journal.at(-2)?.verdict).toBe('nonce_not_rising');
  });

  test('is as wide as the number of higher nonces that were used', async () => {
    expect(await send(withWindow(2), 10, 20, 30, 25, 5, 24, 23, 26)).toEqual([
      ...[200, 200, 200, 200, 401, 200, 401, 200],
    ]);
    expect(await send(withWindow(1), 10, 20, 15, 14)).toEqual([200, 200, 200, 401]);
    expect(await send(withWindow(0), 10, 20, 15, 21)).toEqual([200, 200, 401, 200]);
  });

  test('takes the first nonces of a key in any order', async () => {
    expect(await send(withWindow(3), 4, 3, 2, 1, 0)).toEqual([200, 200, 200, 200, 401]);
  });

  test('that becomes wider takes no nonce that was too low for the last one', async () => {
    const partner = withWindow(0);
    expect(await send(partner, 10, 20)).toEqual([200, 200]);
    partner.sandbox.keys.setNonceWindow(partner.credentials.apiKey, 5);
    expect(await send(partner, 10, 15, 20, 30, 25)).toEqual([401, 401, 401, 200, 200]);
  });

  test('that becomes narrower refuses at once', async () => {
    const partner = withWindow(5);
    expect(await send(partner, 10, 20, 15)).toEqual([200, 200, 200]);
    partner.sandbox.keys.setNonceWindow(partner.credentials.apiKey, 0);
    expect(await send(partner, 12, 20, 21)).toEqual([401, 401, 200]);
  });

  test('goes on in a snapshot: what was used stays used, what was late may still come', async () => {
    const partner = withWindow(3);
    expect(await send(partner, 10, 20, 30, 40)).toEqual([200, 200, 200, 200]);
    const moved = partner.restarted();
    expect(await send(moved, 20, 10, 9, 25, 24)).toEqual([401, 401, 401, 200, 200]);
    expect(moved.sandbox.keys.list()[1]).toMatchObject({ nonceWindow: 3, lastNonce: { nonce: '40' } });
  });

  test('lets a client send many requests at a time, in no order: `nonceOrder: unordered`', async () => {
    const { sandbox, url } = await openSandbox();
    const credentials = sandbox.keys.issue({ nonceWindow: 64 });
    await using client = new PartnerClient({ baseUrl: url, ...credentials, nonceOrder: 'unordered', maxRetries: 0 });
    const calls = Array.from({ length: 20 }, () => client.users.get(sandbox.fixtures.userId));
    await Promise.all(calls);
    expect(sandbox.journal.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(sandbox.keys.list()[1]).toMatchObject({ requests: 20, races: 0 });
  });
});
