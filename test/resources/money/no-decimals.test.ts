import { describe, expect, it } from 'vitest';
import { Decimal, type PartnerClient, ResponseValidationError } from '../../../src/index.js';
import { canonical, toSeen } from '../support/legal.js';
import { envelope, invoke, operation, withMember } from '../support/operations.js';
import { rejection, startService } from '../support/service.js';

const service = startService();

const sides = (...prefixes: string[]): string[] => prefixes.map((prefix) => `${prefix}.amount`);
const QUOTE = [...sides('data.from', 'data.to', 'data.fees.trade'), 'data.rate.price'];
const RAMP_SIDE = ['total', 'subtotal', 'fee', 'deposit_fee', 'affiliate_fee', 'withdrawal_fee'];

/** Where money stands in each sample answer. */
const AMOUNTS: readonly (readonly [name: string, paths: readonly string[]])[] = [
  [
    'users.assets.list',
    [
      ...['price', 'market_cap', 'volume.last_24h', 'supply.circulating', 'supply.total', 'supply.max', 'ath.value'],
      ...['circulating', 'total', 'max'].map((figure) => `supply.in_quote.${figure}`),
      ...['1h', '24h', '7d', '30d', '1y'].map((period) => `price_change_percent.last_${period}`),
    ].map((path) => `data.0.${path}`),
  ],
  [
    'accounts.onDemandConversions.list',
    [...sides('from', 'to', 'fees.from', 'fees.trade', 'fees.to'), 'rate.price'].map((path) => `data.0.${path}`),
  ],
  ['accounts.quotes.get', QUOTE],
  ['accounts.quotes.create', QUOTE],
  ['accounts.onchainQuotes.create', sides('data.from', 'data.to')],
  [
    'accounts.portfolio.details',
    [
      ...['index_price', 'total', 'available', 'open_orders', 'total_in_quote', 'available_in_quote'],
      ...['avg_entry_price_in_quote', 'cost_basis_in_quote', 'pnl.unrealized', 'pnl.realized'],
    ].map((path) => `data.0.${path}`),
  ],
  [
    'funds.depositLimits.list',
    ['data.0.maximum_amount.amount', ...['remaining', 'maximum'].map((member) => `data.0.period_limits.0.${member}`)],
  ],
  [
    'rampQuotes.prospective',
    [
      ...['from', 'to'].flatMap((side) => RAMP_SIDE.map((member) => `data.${side}.${member}`)),
      'data.unit_price.unit_price',
    ],
  ],
];
const NO_DECIMAL: readonly unknown[] = [
  ...[0, 1, 1.5, 1e300, -0.1, true, {}, [], ['1']],
  ...[
    '1e1000',
    '1E-1000000000',
    '9'.repeat(257),
    'NaN',
    'Infinity',
    '-Infinity',
    '1_000',
    '1,000',
    '',
    ' ',
    ' 1',
    '1 ',
    '1\n',
    '1.',
    '.',
    '5.e1',
    '0x1f',
    '--1',
  ],
];

const member = (value: unknown, path: string): unknown =>
  path.split('.').reduce((at, name) => (at as Record<string, unknown>)[name], value);

describe.each(AMOUNTS)('%s: what is no decimal text', (name, paths) => {
  const op = operation(name);

  it('every amount of its sample answer is in the table', async () => {
    const listed = paths.filter((path) => member(op.answer, path) !== null).length;
    const decimals = (value: unknown): number =>
      Decimal.isDecimal(value)
        ? 1
        : typeof value === 'object' && value !== null
          ? Object.values(value).reduce((sum: number, each) => sum + decimals(each), 0)
          : 0;
    service.answerJson(op.answer);
    const result = envelope(op, await invoke(op, service.client()));
    const { data } = result as { data?: unknown };
    expect(decimals(Array.isArray(data) ? data[0] : result)).toBe(listed);
  });

  it.each(paths)('is refused at %s', async (path) => {
    const client = service.client();
    for (const value of NO_DECIMAL) {
      service.answerJson(withMember(op.answer, path, value));
      const error = await rejection(() => invoke(op, client));
      expect(error, JSON.stringify(value)).toBeInstanceOf(ResponseValidationError);
      expect((error as ResponseValidationError).issues.map((issue) => issue.path)).toEqual([path]);
    }
  });

  it('is handed over as it came in warn mode, with all the rest read, and reported to the logger', async () => {
    const lines: unknown[] = [];
    const log = (...line: unknown[]) => void lines.push(...line);
    const logger = { debug: () => {}, info: () => {}, warn: log, error: log };
    const client: PartnerClient = service.client({ responseValidation: 'warn', logger });
    const [path = '', ...others] = paths;
    for (const value of [1.5, '1e1000', '']) {
      lines.length = 0;
      service.answerJson(withMember(op.answer, path, value));
      const whole = envelope(op, await invoke(op, client));
      const body = op.paged || name === 'accounts.portfolio.details' ? whole : { data: whole };
      expect(member(body, path)).toEqual(value);
      for (const other of others) {
        const sent = member(op.answer, other);
        if (sent === null) expect(member(body, other)).toBeNull();
        else expect(toSeen(member(body, other)), other).toEqual({ money: canonical(sent as string) });
      }
      expect(JSON.stringify(lines)).toContain(path);
    }
  });
});
