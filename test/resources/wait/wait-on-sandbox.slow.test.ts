import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PartnerClient } from '../../../src/index.js';
import { createSandbox, type Sandbox } from '../../../src/sandbox/index.js';

let sandbox: Sandbox;
let client: PartnerClient;
beforeEach(async () => {
  sandbox = createSandbox({ seed: 1, realTime: true });
  const { url } = await sandbox.listen({ port: 0 });
  client = new PartnerClient({ baseUrl: url, ...sandbox.credentials });
});
afterEach(async () => {
  await client.close();
  await sandbox.close();
});

describe('waiting on the sandbox for an item of a list', () => {
  const PERSON = {
    ...{ external_reference: 'customer-of-the-wait', email: 'ada@customer.example' },
    full_name: { first_name: 'Ada', last_name: 'Byron' },
    residence: { line1: '12 St James', city: 'London', postal_code: 'SW1Y 4JH', country: 'GB' },
    ...{ phone: '+442071234567', nationalities: ['GB'] },
  };

  it.each([
    ['passport.jpg', 'completed', undefined],
    ['unreadable.jpg', 'failed', [{ code: 'unreadable' }]],
  ])('a verification by %s: %s', async (document, status, reasons) => {
    const { id } = await client.users.create(PERSON);
    const front_url = `https://documents.example/${document}`;
    const { verification_id } = await client.users.verifications.submitUrl(id, { front_url });
    sandbox.fail({ operation: 'users.verifications.list', fault: 'garbage', times: 1 });
    const onPoll = () => sandbox.advance(60_000);
    const end = await client.users.verifications.waitFor(id, verification_id, { onPoll });
    expect(end).toMatchObject({ verification_id, status });
    expect(end.reasons).toEqual(reasons);
    if (status === 'failed') {
      const error = await client.users.waitFor(id, { timeout: 1_000 }).catch((reason: Error) => reason);
      expect(String(error)).toContain('the last status was "pending", required_actions: "submit_verification"');
    }
  });

  it('a withdrawal: its end in the ledger', async () => {
    const { accountId, methodId } = sandbox.fixtures;
    const saved = { key: 'cold', address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' };
    await client.funds.withdrawalAddresses.save(accountId, { asset_symbol: 'BTC', method_id: methodId, ...saved });
    const order = { asset_symbol: 'BTC', key: saved.key, amount: '0.01' };
    const { ref_id } = await client.funds.withdrawals.create(accountId, order);
    const seen: (string | undefined)[] = [];
    const entry = await client.funds.withdrawals.waitFor(accountId, ref_id, {
      onPoll: (one, { polls }) => {
        seen.push(one?.status);
        if (polls === 1) sandbox.withdrawals.hold(ref_id);
        sandbox.advance(40_000);
      },
    });
    expect(entry).toMatchObject({ ref_id, status: 'success' });
    expect(seen).toEqual(['pending', 'held', 'success']);
  });
});
