import { beforeEach, describe, expect, test } from 'vitest';
import { Decimal } from '../../../src/index.js';
import { rowsOf } from '../conservation/support/ledger-witness.js';
import { directSandbox } from '../support/direct-partner.js';
import { fieldsOf, openSandbox } from '../support/partner.js';

const DAY_MS = 86_400_000;

const partner = directSandbox();
beforeEach(() => partner.sandbox.reset());

// biome-ignore lint/suspicious/noExplicitAny: answers of the service
type Data = any;

const reports = async (query = ''): Promise<Data> => (await partner.get(`/v1/reports/settlement${query}`)).body;
const names = async (query: string) => (await reports(query)).data.map(({ name }: Data) => name);

/** The file of a report, by its link alone: without a key. */
async function file(name: string): Promise<{ report: Data; answer: Response; text: string }> {
  const { data } = await reports('?page_size=100');
  const { id } = data.find((one: Data) => one.name === name);
  const report = (await partner.get(`/v1/reports/settlement/${id}`)).body.data;
  const answer = (await partner.sandbox.fetch(new Request(report.download_url))) as Response;
  return { report, answer, text: await answer.text() };
}

async function buy(amount: string): Promise<Data> {
  const { account, sandbox } = partner;
  const body = { from: { symbol: 'USD', type: 'fiat', amount }, to: { symbol: 'BTC', type: 'crypto' } };
  const { data } = (await partner.post(`${account}/quotes`, body)).body;
  await partner.post(`${account}/quotes/${data.id}/execute`);
  sandbox.advance(2_000);
  return data;
}

describe('settlement reports', () => {
  test('are there for each day that is over, one for each kind of movement, newest first', async () => {
    const kinds = ['earn_rewards', 'funding', 'price_trigger_swaps', 'swaps'];
    expect(await names('')).toEqual(kinds.map((kind) => `${kind}-2026-01-14.csv`));
    partner.sandbox.advance(DAY_MS);
    expect(await names('')).toEqual(
      ['2026-01-15', '2026-01-14'].flatMap((day) => kinds.map((kind) => `${kind}-${day}.csv`)),
    );
  });

  test.each([
    ['?report_type=swaps', ['swaps-2026-01-16.csv', 'swaps-2026-01-15.csv', 'swaps-2026-01-14.csv']],
    ['?report_type=swaps&start_date=2026-01-15T00:00:00Z&end_date=2026-01-15T00:00:00Z', ['swaps-2026-01-15.csv']],
    [
      '?report_type=earn_rewards&report_type=swaps&start_date=2026-01-15T22:00:00-02:00',
      ['earn_rewards-2026-01-16.csv', 'swaps-2026-01-16.csv'],
    ],
    ['?report_type=of_a_later_edition', []],
    ['?report_type=swaps&start_date=2026-01-15T00:00:01Z', ['swaps-2026-01-16.csv']],
    ['?end_date=2026-01-01T00:00:00Z', []],
  ])('are chosen by %s', async (query, expected) => {
    partner.sandbox.advance(2 * DAY_MS);
    expect(await names(query)).toEqual(expected);
  });

  test.each(['start_date', 'end_date'])('refuse a %s that is no date-time', async (field) => {
    for (const text of ['', '2026-1-5', '15.01.2026', '2026-01-15', '2026-13-01T00:00:00Z', '2026-02-30T00:00:00Z']) {
      const answer = await partner.get(`/v1/reports/settlement?${field}=${text}`);
      expect([answer.status, fieldsOf(answer)], text).toEqual([400, [field]]);
    }
  });

  test('are walked through page by page, each once, also over midnight', async () => {
    partner.sandbox.advance(3 * DAY_MS);
    const all = await names('?page_size=100');
    const seen: string[] = [];
    let token: string | undefined;
    do {
      const page = await reports(`?page_size=3${token === undefined ? '' : `&page_token=${token}`}`);
      seen.push(...page.data.map(({ name }: Data) => name));
      token = page.next_page_token;
      partner.sandbox.advance(DAY_MS);
    } while (token !== undefined);
    expect(seen).toEqual(all);
  });

  test('are kept for a year, also when centuries pass', async () => {
    partner.sandbox.advance(500 * 365 * DAY_MS);
    const { data, next_page_token: token } = await reports('?report_type=swaps&page_size=100');
    expect([data.length, typeof token]).toEqual([100, 'string']);
    expect(await names('?end_date=2500-01-01T00:00:00Z')).toEqual([]);
  });

  test('that do not exist are 404', async () => {
    const answer = await partner.get('/v1/reports/settlement/8a6e0804-2bd0-4672-b79d-d97027f9071a');
    expect([answer.status, fieldsOf(answer)]).toEqual([404, ['report_id']]);
  });
});

describe('the file of a report', () => {
  test('has the movements of its day to the last digit, and its size in bytes', async () => {
    const [first, second] = [await buy('100.129'), await buy('0.5')];
    partner.sandbox.advance(DAY_MS);
    await buy('7');
    const { report, answer, text } = await file('swaps-2026-01-15.csv');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="swaps-2026-01-15.csv"');
    expect(report).toMatchObject({ date: '2026-01-15', type: 'swaps', size: String(Buffer.byteLength(text)) });
    const rows = rowsOf(text);
    expect(rows.map(({ reference }) => reference)).toEqual([first.id, second.id]);
    expect(rows[0]).toMatchObject({
      account_id: partner.sandbox.fixtures.accountId,
      type: 'simple_order',
      status: 'completed',
      spend_symbol: 'USD',
      spend_total: '100.129',
      spend_fee: new Decimal(first.fees.trade.amount).toFixed(),
      receive_symbol: 'BTC',
      receive_total: new Decimal(first.to.amount).toFixed(),
    });
    const { data } = (await partner.get(`${partner.account}/portfolio/transactions`)).body;
    expect(rows.map(({ id }) => id)).toEqual([data[2].id, data[1].id]);
    expect(new Decimal(data[2].receive.balance.amount).eq(rows[0]?.['receive_balance'] ?? 0)).toBe(true);
  });

  test('of a day without movements is its head line', async () => {
    const { report, text } = await file('swaps-2026-01-14.csv');
    expect(text).toMatch(/^id,timestamp,account_id,type,status,reference,[a-z_,]+\r\n$/);
    expect(report.size).toBe(String(text.length));
  });

  test('of funding has the deposits of all accounts, oldest first', async () => {
    const { sandbox } = partner;
    const { accountId, secondaryAccountId } = sandbox.fixtures;
    sandbox.accounts.deposit(accountId, { symbol: 'USD', amount: '2' });
    sandbox.advance(1_000);
    sandbox.accounts.deposit(secondaryAccountId, { symbol: 'USD', amount: '1' });
    sandbox.advance(1_000);
    sandbox.accounts.deposit(accountId, { symbol: 'USD', amount: '3' });
    sandbox.advance(DAY_MS);
    const { text } = await file('funding-2026-01-15.csv');
    expect(rowsOf(text).map(({ receive_total }) => receive_total)).toEqual(['2', '1', '3']);
  });

  test('is there for a quarter of an hour', async () => {
    const { report } = await file('swaps-2026-01-14.csv');
    expect(report.expires_at).toBe('2026-01-15T12:15:00.000Z');
    const status = async (url: string) => ((await partner.sandbox.fetch(new Request(url))) as Response).status;
    partner.sandbox.advance(15 * 60_000);
    expect(await status(report.download_url)).toBe(200);
    partner.sandbox.advance(1);
    expect(await status(report.download_url)).toBe(403);
    expect(partner.sandbox.journal.at(-1)).toMatchObject({ status: 403, causes: [{ field: 'expires' }] });
  });

  test('is not given for a link that was changed', async () => {
    const { report } = await file('swaps-2026-01-14.csv');
    const other = (await reports()).data.find(({ type }: Data) => type === 'funding').id;
    const url = new URL(report.download_url);
    const changed = [
      report.download_url.replace(report.id, other),
      report.download_url.replace(/expires=\d/, 'expires=9'),
      report.download_url.replace(/signature=.*/, 'signature='),
      url.origin + url.pathname,
    ];
    for (const link of changed) {
      const answer = (await partner.sandbox.fetch(new Request(link))) as Response;
      expect([link, answer.status]).toEqual([link, 403]);
    }
  });

  test('is at the address of the sandbox that listens, and still there after a restart', async () => {
    const listening = await openSandbox();
    const id = (await listening.get('/v1/reports/settlement')).body.data[0].id;
    const { data } = (await listening.get(`/v1/reports/settlement/${id}`)).body;
    expect(data.download_url.startsWith(`${listening.url}/downloads/`)).toBe(true);
    const answer = await fetch(data.download_url);
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(data.size)]);
    const restarted = directSandbox({ snapshot: listening.sandbox.snapshot() });
    expect(((await restarted.sandbox.fetch(new Request(data.download_url))) as Response).status).toBe(200);
  });
});
