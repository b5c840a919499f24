import { KeyObject } from 'node:crypto';
import { queryObjects } from 'node:v8';
import { expect, test } from 'vitest';
import { PartnerClient } from '../../src/index.js';
import { GET, scene } from '../support/scene.js';
import { silenceWarning } from '../support/silenced-warning.js';

silenceWarning('v8.queryObjects() is an experimental feature');

/** The keys of `node:crypto` that are not garbage. */
const keys = (): number => queryObjects(KeyObject, { format: 'count' });

test('the default signer keeps one key for each API key, until its client is closed', () =>
  scene({}, async ({ service, client }) => {
    const before = keys();
    await GET.invoke(client);
    await GET.invoke(client);
    expect(keys()).toBe(before + 1);
    await client.close();
    expect(keys()).toBe(before);
    const { apiKey, apiSecret, url: baseUrl } = service;
    const asking = new PartnerClient({ apiKey, apiSecret: () => apiSecret, baseUrl });
    await GET.invoke(asking);
    expect(keys()).toBe(before);
    await asking.close();
  }));
