import { expect } from 'vitest';
import { RequestValidationError } from '../../../src/index.js';
import type { Fact } from '../fact.js';
import { IDS } from '../ids.js';
import { LISTED_ASSET } from '../operations/assets.js';
import { failure } from '../service.js';

const URLS = {
  front: 'https://documents.example/ada/front.jpg',
  back: 'https://documents.example/ada/back.jpg',
  document: 'https://documents.example/ada/bill.pdf',
  center: 'https://documents.example/ada/center.jpg',
  left: 'https://documents.example/ada/left.jpg',
  right: 'https://documents.example/ada/right.jpg',
};

const SELFIE = { center_url: URLS.center, left_url: URLS.left, right_url: URLS.right };
const metadata = { issuing_country: 'GB' };

/** Submits bodies through the client, and directly to the sandbox. */
const submits = (bodies: readonly Record<string, unknown>[]): Pick<Fact, 'client' | 'sandbox'> => ({
  client: async ({ client, service }) => {
    for (const body of bodies) await client.users.verifications.submitUrl(IDS.userId, body as { front_url: string });
    expect(service.received.map(({ body }) => body)).toEqual(bodies);
  },
  sandbox: async ({ send, ids }) => {
    for (const body of bodies) {
      const target = `/v1/users/${ids.userId}/verifications/url`;
      const { status, text } = await send({ target, method: 'POST', body });
      expect([status, text]).toEqual([200, expect.stringContaining('verification_id')]);
    }
  },
});

const IDENTITY_DOCUMENTS = [
  'passport',
  'drivers_license',
  'id_card',
  'residence_card',
  'special_permanent_residence_card',
];

export const shapes: readonly Fact[] = [
  {
    fact: 'The size of a settlement report is a string.',
    source: 'current',
    client: async ({ client, service }) => {
      const report = { id: IDS.reportId, date: '2026-03-01', type: 'swaps', name: 'a.csv' };
      for (const size of ['18342', 18342]) {
        service.answers({ body: { data: [{ ...report, size }] } }, { body: { data: { ...report, size } } });
        const [listed] = (await client.reports.settlement.list()).items;
        expect([listed?.size, (await client.reports.settlement.get(IDS.reportId)).size]).toEqual([18342, 18342]);
      }
    },
    sandbox: async ({ send }) => {
      const { json } = await send({ target: '/v1/reports/settlement' });
      const [{ size } = { size: undefined }] = (json as { data: { size: unknown }[] }).data;
      expect(size).toMatch(/^\d+$/);
    },
  },
  {
    fact: 'Settlement reports lie between two RFC 3339 date-times, both inclusive.',
    source: 'current',
    sandbox: async ({ send }) => {
      const all = (await send({ target: '/v1/reports/settlement?report_type=swaps' })).json as {
        data: { date: string }[];
      };
      const [{ date } = { date: '' }] = all.data;
      const at = `${date}T00:00:00Z`;
      const query = `report_type=swaps&start_date=${at}&end_date=${at}`;
      const { json } = await send({ target: `/v1/reports/settlement?${query}` });
      expect((json as { data: unknown[] }).data).toHaveLength(1);
    },
  },
  {
    fact: 'A verification by URLs is of an identity document, a document of the residence, or a selfie; `front_url` belongs to the first alone.',
    source: 'current',
    ...submits([
      { type: 'identity_document', metadata, front_url: URLS.front, back_url: URLS.back },
      { type: 'identity_document', metadata: { document_type: 'passport' }, front_url: URLS.front },
      { type: 'residence_document', metadata, document_url: URLS.document },
      { type: 'selfie', metadata, ...SELFIE },
    ]),
  },
  {
    fact: 'The same three may stand below proof_of_identity, proof_of_address and proof_of_liveness.',
    source: 'third party',
    ...submits([
      { proof_of_identity: { front_url: URLS.front, back_url: URLS.back, metadata } },
      { proof_of_address: { document_url: URLS.document, metadata } },
      { proof_of_liveness: SELFIE },
    ]),
  },
  {
    fact: 'Identity documents are passport, drivers_license, id_card, residence_card and special_permanent_residence_card.',
    source: 'third party',
    ...submits(
      IDENTITY_DOCUMENTS.map((document_type) => ({
        type: 'identity_document',
        metadata: { document_type },
        front_url: URLS.front,
      })),
    ),
  },
  {
    fact: 'Subdivisions of a country of the ramp are a list of strings.',
    source: 'current',
    sandbox: async ({ send }) => {
      const { json } = await send({ target: '/v1/ramp/countries?page_size=200' });
      const { data } = json as { data: { subdivisions?: unknown }[] };
      const given = data.flatMap(({ subdivisions }) => (subdivisions === undefined ? [] : [subdivisions]));
      expect(given.length).toBeGreaterThan(0);
      for (const list of given) expect(list).toEqual((list as unknown[]).map(() => expect.any(String)));
    },
  },
  {
    fact: 'The asset type of an address is crypto unless another one is given.',
    source: 'current',
    client: async ({ client, service }) => {
      const body = { asset_symbol: 'XRP', method_id: IDS.depositMethodId };
      await client.funds.depositAddresses.create(IDS.accountId, body);
      expect(service.received[0]?.body).toEqual(body);
    },
    sandbox: async ({ send, ids }) => {
      const account = `/v1/accounts/${ids.accountId}/funds`;
      const methods = (await send({ target: `${account}/deposits/methods/XRP` })).json as { data: { id: string }[] };
      const body = { asset_symbol: 'XRP', method_id: methods.data[0]?.id };
      await send({ target: `${account}/deposits/addresses`, method: 'POST', body });
      const { json } = await send({ target: `${account}/deposits/addresses?asset_symbol=XRP` });
      const { data } = json as { data: { asset: unknown }[] };
      expect(data[0]?.asset).toMatchObject({ symbol: 'XRP', type: 'crypto' });
    },
  },
  {
    fact: 'A summary of the portfolio is valued in USD unless another asset is given.',
    source: 'current',
    sandbox: async ({ send, ids }) => {
      const { json } = await send({ target: `/v1/accounts/${ids.accountId}/portfolio/summary` });
      expect(json).toMatchObject({ data: { quote_symbol: 'USD', quote_type: 'fiat' } });
    },
  },
  {
    fact: 'The way in of a conversion rule has the status active and the lifecycle reusable.',
    source: 'current',
    sandbox: async ({ send, ids }) => {
      const body = {
        from: { asset: { symbol: 'EUR', type: 'fiat' }, via: 'sepa' },
        to: { asset: { symbol: 'BTC', type: 'crypto' }, destination: { type: 'balance' } },
      };
      const { json } = await send({ target: `/v1/accounts/${ids.accountId}/conversion-rules`, method: 'POST', body });
      expect(json).toMatchObject({ data: { inbound: { status: 'active', lifecycle: 'reusable' } } });
    },
  },
  {
    fact: 'The yield source is staking, and apy a percentage: "12.50" is twelve and a half percent.',
    source: 'current',
    sandbox: async ({ send }) => {
      const { json } = await send({ target: '/v1/earn/auto/assets?country=DE&page_size=200' });
      const { data } = json as { data: { yield_source: unknown; apy: string }[] };
      expect(new Set(data.map(({ yield_source: source }) => source))).toEqual(new Set(['staking']));
      // A fraction, such as 0.125, would be below one everywhere.
      expect(Math.max(...data.map(({ apy }) => Number(apy)))).toBeGreaterThan(1);
    },
  },
  {
    fact: 'Limits of the ramp need in_asset_symbol.',
    source: 'current',
    sandbox: async ({ send }) => {
      expect((await send({ target: '/v1/ramp/limits?out_asset_symbol=BTC' })).status).toBe(400);
    },
  },
  {
    fact: 'The fee of a quote is optional for us, although a guide lists it among the members to send.',
    source: 'guide',
    client: async ({ client, service }) => {
      const sides = {
        from: { symbol: 'USD', type: 'fiat', amount: '250' },
        to: { symbol: 'BTC', type: 'crypto' },
      } as const;
      await client.accounts.quotes.create(IDS.accountId, { ...sides, fee: { bps: 0 } });
      await client.accounts.quotes.create(IDS.accountId, sides);
      expect(service.received.map(({ body }) => body)).toEqual([{ ...sides, fee: { bps: 0 } }, sides]);
    },
    sandbox: async ({ send, ids }) => {
      const sides = { from: { symbol: 'USD', type: 'fiat', amount: '10' }, to: { symbol: 'BTC', type: 'crypto' } };
      for (const body of [sides, { ...sides, fee: { bps: 25 } }]) {
        const { status } = await send({ target: `/v1/accounts/${ids.accountId}/quotes`, method: 'POST', body });
        expect(status).toBe(200);
      }
    },
  },
  {
    fact: 'Four paths are inferred from an older edition: if the service does not have one, the error says so, and how to call another.',
    source: 'inferred',
    client: async ({ client, service }) => {
      for (const call of [
        () => client.funds.withdrawalMethods.list(IDS.accountId, 'BTC'),
        () => client.funds.withdrawalAddresses.delete(IDS.accountId, 'cold'),
        () => client.ramp.paymentMethods.list(),
        () => client.ramp.assets.list({ country: 'DE' }),
      ]) {
        service.answers(failure(404, 'not_found'));
        await expect(call()).rejects.toThrow(/assumption.*client\.request/s);
      }
    },
  },
  {
    fact: 'Users are created without an idempotency key, because the same external reference gives the same user.',
    source: 'current',
    document: ['| `users.createHeadless` | POST /v1/users/headless | none, but safe to send again |'],
    client: async ({ client, service }) => {
      service.answers(failure(503, 'unavailable'));
      await client.users.createHeadless({ external_reference: 'customer-7' });
      expect(service.received.map(({ key, rawBody }) => [key, rawBody])).toEqual([
        [undefined, '{"external_reference":"customer-7"}'],
        [undefined, '{"external_reference":"customer-7"}'],
      ]);
    },
    sandbox: async ({ send }) => {
      const create = () =>
        send({ target: '/v1/users/headless', method: 'POST', body: { external_reference: 'customer-7' } });
      expect((await create()).json).toEqual((await create()).json);
    },
  },
  {
    fact: 'Rates and the history of a portfolio begin at start_timestamp, inclusive, and end before end_timestamp.',
    source: 'current',
    sandbox: async ({ send, ids }) => {
      const between = 'start_timestamp=2026-01-05T00:00:00Z&end_timestamp=2026-01-08T00:00:00Z';
      for (const path of [
        `/v1/assets/crypto/BTC/rates?interval=P1D&${between}`,
        `/v1/accounts/${ids.accountId}/portfolio/history?${between}`,
      ]) {
        const { json } = await send({ target: path });
        const moments = (json as { data: { timestamp: string }[] }).data.map(({ timestamp }) => Date.parse(timestamp));
        expect(Math.min(...moments)).toBe(Date.parse('2026-01-05T00:00:00Z'));
        expect(Math.max(...moments)).toBeLessThan(Date.parse('2026-01-08T00:00:00Z'));
      }
    },
  },
  {
    fact: 'Portfolio transactions lie between two times, both inclusive.',
    source: 'current',
    sandbox: async ({ send, ids, sandbox }) => {
      await send({ target: `/v1/accounts/${ids.accountId}/quotes/${ids.quoteId}/execute`, method: 'POST' });
      await sandbox.clock.advance(60_000);
      const list = `/v1/accounts/${ids.accountId}/portfolio/transactions`;
      const transactions = async (query: string) =>
        ((await send({ target: `${list}?${query}` })).json as { data: { id: string; timestamp: string }[] }).data;
      const [first] = await transactions('page_size=1');
      const at = first?.timestamp ?? '';
      const found = await transactions(`start_timestamp=${at}&end_timestamp=${at}`);
      expect(found.map(({ id }) => id)).toContain(first?.id);
    },
  },
  {
    fact: 'An update of a subscription replaces all its events.',
    source: 'current',
    sandbox: async ({ send, ids }) => {
      const target = `/v1/webhooks/${ids.webhookId}`;
      const { json } = await send({ target, method: 'PATCH', body: { events: ['deposit.completed'] } });
      expect(json).toMatchObject({ data: { events: ['deposit.completed'] } });
    },
  },
  {
    fact: 'A transfer has exactly one recipient.',
    source: 'current',
    client: async ({ client, service }) => {
      for (const to of [{}, { tag: 'a', email: 'a@partner.example' }]) {
        const body = { from: { asset: { symbol: 'USD', amount: '5' } }, to: to as { tag: string } };
        await expect(client.accounts.transfers.create(IDS.accountId, body)).rejects.toThrow(/exactly one/);
      }
      expect(service.received).toEqual([]);
    },
    sandbox: async ({ send, ids }) => {
      const from = { asset: { symbol: 'USD', type: 'fiat', amount: '5' } };
      for (const to of [{}, { tag: 'a', email: 'a@partner.example' }]) {
        const target = `/v1/accounts/${ids.accountId}/transfers`;
        expect((await send({ target, method: 'POST', body: { from, to } })).status).toBe(400);
      }
    },
  },
  {
    fact: 'The names fee_token and preview of a withdrawal are a guess.',
    source: 'inferred',
    client: async ({ client, service }) => {
      const body = { asset_symbol: 'BTC', key: 'cold', amount: '0.01', fee_token: 'tok', preview: true };
      await client.funds.withdrawals.create(IDS.accountId, body);
      expect(service.received[0]?.body).toEqual(body);
    },
  },
  {
    fact: 'An asset in disabled_against may have no name.',
    source: 'current',
    client: async ({ client, service }) => {
      const disabled_against = [{ symbol: 'AAPLx', type: 'xstock' }];
      const status = { ...LISTED_ASSET.status, swap_trading: { enabled: true, disabled_against } };
      service.answers({ body: { data: { ...LISTED_ASSET, status } } });
      const asset = await client.assets.get('crypto', 'BTC');
      expect(asset.status.swap_trading.disabled_against).toEqual(disabled_against);
    },
  },
  {
    fact: 'A body that is specified or documented is closed: a misspelled member is told before anything is sent.',
    source: 'specified',
    client: async ({ client, service }) => {
      const body = { asset_symbol: 'BTC', key: 'cold', amount: '0.01', ammount: '1' };
      await expect(client.funds.withdrawals.create(IDS.accountId, body)).rejects.toThrow(RequestValidationError);
      expect(service.received).toEqual([]);
    },
  },
];
