import { describe, expect, test } from 'vitest';
import { ConfigurationError, PartnerClient } from '../../../src/index.js';
import { createTestClient, type TestClientOptions } from '../../../src/sandbox/index.js';

describe('createTestClient', () => {
  test('gives a client and the sandbox that answers it', async () => {
    await using made = createTestClient({ seed: 7 });
    const { client, sandbox } = made;
    expect(client).toBeInstanceOf(PartnerClient);
    const { userId } = sandbox.fixtures;
    expect((await client.users.get(userId)).id).toBe(userId);
    expect(sandbox.journal).toHaveLength(1);
  });

  test('gives the same data for the same seed, and each test a service of its own', async () => {
    await using one = createTestClient({ seed: 3 });
    await using two = createTestClient({ seed: 3 });
    expect(two.sandbox.fixtures).toEqual(one.sandbox.fixtures);
    await one.client.users.get(one.sandbox.fixtures.userId);
    await two.client.users.get(two.sandbox.fixtures.userId);
    expect([one, two].map(({ sandbox }) => sandbox.journal.length)).toEqual([1, 1]);
  });

  test('passes options to the sandbox and to the client', async () => {
    const users = [{ external_reference: 'mine', balances: { BTC: '2' } }];
    await using made = createTestClient({
      users,
      otp: '1234',
      client: { maxRetries: 0, headers: { 'x-test': 'yes' } },
    });
    made.sandbox.fail({ fault: 503 });
    await expect(made.client.users.get(made.sandbox.fixtures.userId)).rejects.toMatchObject({ attempts: { count: 1 } });
    expect(made.sandbox.fixtures.otp).toBe('1234');
  });

  test('refuses unknown options, and those of a client that the sandbox determines', () => {
    expect(() => createTestClient({ sede: 1 } as TestClientOptions)).toThrow(
      /createSandbox: options must not have sede/,
    );
    expect(() => createTestClient({ client: { baseUrl: 'https://x.test' } } as TestClientOptions)).toThrow(
      /client\.baseUrl is the sandbox's/,
    );
    expect(() => createTestClient({ client: { timeout: -1 } })).toThrow(ConfigurationError);
  });

  test('has links that sandbox.fetch reads, and whose host says so where a plain fetch fails', async () => {
    await using made = createTestClient({ seed: 1 });
    const { client, sandbox } = made;
    sandbox.advance(24 * 3_600_000);
    const { items } = await client.reports.settlement.list();
    const { download_url: link = '' } = await client.reports.settlement.get(items[0]?.id ?? '');
    const file = await sandbox.fetch(new Request(link));
    expect([file.status, (await file.text()).length > 0]).toEqual([200, true]);
    const failure = await fetch(link).catch((error: Error) => String(error.cause));
    expect(failure).toContain('use-sandbox-fetch.invalid');
  });

  test('closes both, and may be closed again', async () => {
    const made = createTestClient();
    await made.close();
    await made.close();
    await expect(made.client.users.get(made.sandbox.fixtures.userId)).rejects.toThrow(/closed/);
  });
});
