import { Decimal as ForeignDecimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal, type PartnerClient, RequestValidationError } from '../../../src/index.js';
import { ACCOUNT, invoke, OPERATIONS, operation } from '../support/operations.js';
import { deepFreeze, type Received, rejection, startService, wrong } from '../support/service.js';

const service = startService();

const usd = { symbol: 'USD', type: 'fiat' };
const btc = { symbol: 'BTC', type: 'crypto' };
const wallet = { address: '0xc11e', network: 'ethereum' };

interface Place {
  readonly place: string;
  readonly operation: string;
  send(client: PartnerClient, amount: Decimal | string): PromiseLike<unknown>;
  arrived(request: Received): unknown;
}

/** A body with the amount on this side. */
const bodyOf = <T>(side: 'from' | 'to', amount: Decimal | string, more = {}): T =>
  wrong({
    from: { ...usd, ...more },
    to: btc,
    [side]: side === 'from' ? { ...usd, ...more, amount } : { ...btc, amount },
  });

/** Every place where an amount is handed in, and where it must arrive. */
const PLACES: readonly Place[] = [
  ...(['from', 'to'] as const).flatMap((side): Place[] => {
    const arrived = ({ body }: Received) => JSON.parse(body)[side].amount;
    return [
      {
        place: `${side}.amount of a quote`,
        operation: 'accounts.quotes.create',
        arrived,
        send: (client, amount) => client.accounts.quotes.create(ACCOUNT, bodyOf(side, amount)),
      },
      {
        place: `${side}.amount of an on-chain quote`,
        operation: 'accounts.onchainQuotes.create',
        arrived,
        send: (client, amount) => client.accounts.onchainQuotes.create(ACCOUNT, bodyOf(side, amount, { wallet })),
      },
    ];
  }),
  {
    place: 'from_amount of a ramp quote',
    operation: 'rampQuotes.prospective',
    send: (client, from_amount) => client.rampQuotes.prospective({ from_amount }),
    arrived: ({ query }) => query.get('from_amount'),
  },
];

const digits = (max: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: max });
/** At most 1 + 31 + 1 + 31 = 64 characters: what the narrowest place takes. */
const decimalText = fc
  .tuple(fc.constantFrom('', '-'), digits(31), fc.option(digits(31), { nil: undefined }))
  .map(([sign, whole, fraction]) => sign + whole + (fraction === undefined ? '' : `.${fraction}`));

describe.each(PLACES)('$place', ({ operation: name, send, arrived }) => {
  const sent = async (amount: Decimal | string): Promise<unknown> => {
    service.answerJson(operation(name).answer);
    service.received.length = 0;
    await send(service.client(), amount);
    return arrived(service.only);
  };

  it('sends text unchanged', async () => {
    for (const text of ['1.50', '-0', '0001', '0', '-1.10', '00.00', '9'.repeat(64)])
      expect(await sent(text)).toBe(text);
    await fc.assert(
      fc.asyncProperty(decimalText, async (text) => {
        expect(await sent(text)).toBe(text);
      }),
      { numRuns: 25 },
    );
  });

  it('sends a Decimal in plain digits, never with an exponent', async () => {
    const tiny = new Decimal('1e-7');
    const huge = new Decimal('1e21');
    expect(await sent(tiny)).toBe('0.0000001');
    expect(await sent(huge)).toBe('1000000000000000000000');
    expect(await sent(new Decimal('-1e-40'))).toBe(`-0.${'0'.repeat(39)}1`);
    expect(await sent(new Decimal('1.50'))).toBe('1.5');
    expect(await sent(tiny.plus(1))).toBe('1.0000001');
    expect(await sent(Object.freeze(new Decimal('12.5')))).toBe('12.5');
  });

  it('sends a Decimal exactly, digit by digit', async () => {
    await fc.assert(
      fc.asyncProperty(decimalText, async (text) => {
        const value = new Decimal(text);
        const wire = await sent(value);
        expect(wire).toMatch(/^-?[0-9]+(\.[0-9]+)?$/);
        expect(wire).toBe(value.toFixed());
      }),
      { numRuns: 25 },
    );
  });

  it('sends a Decimal of the application\u2019s own decimal.js', async () => {
    expect(await sent(wrong(new ForeignDecimal('1e-9')))).toBe('0.000000001');
  });

  it('refuses a Decimal that is no number', async () => {
    const client = service.client();
    for (const value of [new Decimal(Number.NaN), new Decimal(Infinity), new Decimal(-Infinity)])
      expect(await rejection(() => send(client, value))).toBeInstanceOf(RequestValidationError);
    expect(service.received).toEqual([]);
  });
});

it.each(PLACES)('$place is refused beyond 256 digits, at once', async ({ send }) => {
  const client = service.client();
  const tooLong = ['9'.repeat(257), `-0.${'1'.repeat(256)}`, '1'.repeat(4_000_000)];
  const unwritable = ['1e256', '1e-256', '1e9000000000', '-1e-9000000000'].map((value) => new Decimal(value));
  for (const amount of [...tooLong, ...unwritable, wrong<Decimal>(new ForeignDecimal('1e-9000000000'))]) {
    expect(await rejection(() => send(client, amount))).toMatchObject({
      name: 'RequestValidationError',
      issues: expect.arrayContaining([expect.objectContaining({ message: expect.stringContaining('256 digits') })]),
    });
  }
  expect(service.received).toEqual([]);
});

it.each(PLACES.slice(0, 4))('$place takes 256 digits', async ({ operation: name, send, arrived }) => {
  service.answerJson(operation(name).answer);
  for (const amount of ['9'.repeat(256), `-0.${'1'.repeat(255)}`, new Decimal('1e255'), new Decimal('1e-255')]) {
    await send(service.client(), amount);
    expect(arrived(service.received.at(-1) as Received)).toBe(typeof amount === 'string' ? amount : amount.toFixed());
  }
});

it.each([
  ['a body', { method: 'POST', body: { deep: [new Decimal('1e-9000000000')] } }],
  ['a query', { method: 'GET', query: { amount: new Decimal('1e9000000000') } }],
] as const)('request() refuses an amount in %s that is too long to be written out', async (_where, request) => {
  expect(await rejection(() => service.client().request({ path: '/v1/transfers', ...request }))).toMatchObject({
    name: 'RequestValidationError',
    issues: [{ message: expect.stringContaining('256') }],
  });
});

it('from_amount of a ramp quote is refused beyond 64 characters, also as a Decimal', async () => {
  const client = service.client();
  for (const value of ['1'.repeat(65), new Decimal('1'.repeat(65)), new Decimal('1e64'), new Decimal('1e-63')])
    await rejection(client.rampQuotes.prospective({ from_amount: value }), RequestValidationError);
  expect(service.received).toEqual([]);
});

describe('what callers hand in stays theirs', () => {
  it.each(OPERATIONS)('$name takes frozen input and options, and leaves them as they are', async (op) => {
    service.answerJson(op.answer);
    const given = { ids: op.ids, query: op.query, body: op.body };
    const options = {
      timeout: 5000,
      maxRetries: 0,
      headers: { 'X-Team': 'payments' },
      ...(op.otp ? { otp: '1' } : {}),
    };
    const before = structuredClone({ given, options });
    await invoke(op, service.client(), deepFreeze(structuredClone(given)), deepFreeze(structuredClone(options)));
    await invoke(op, service.client(), given, options);
    expect({ given, options }).toEqual(before);
    expect(service.received).toHaveLength(2);
    expect(service.received[0]?.headers['x-team']).toBe('payments');
  });

  it('what changes after the call has no effect on it', async () => {
    service.answerJson(operation('accounts.quotes.create').answer);
    const body = { from: { ...usd, amount: '1' }, to: { ...btc } };
    const options = { headers: { 'X-Team': 'payments' }, idempotencyKey: 'a0b1c2d3-0000-4000-b000-0123456789ab' };
    const call = service.client().accounts.quotes.create(ACCOUNT, body, options);
    body.from.amount = '1000000';
    options.headers['X-Team'] = 'other';
    options.idempotencyKey = 'ffffffff-0000-4000-b000-0123456789ab';
    await call;
    expect(JSON.parse(service.only.body).from.amount).toBe('1');
    expect(service.only.headers).toMatchObject({
      'x-team': 'payments',
      'idempotency-key': 'a0b1c2d3-0000-4000-b000-0123456789ab',
    });
  });

  it('a client is not changed by its options object changing later', async () => {
    service.answerJson(operation('users.get').answer);
    const headers: Record<string, string> = { 'X-Team': 'payments' };
    const client = service.client({ headers });
    headers['X-Team'] = 'other';
    await invoke(operation('users.get'), client);
    expect(service.only.headers['x-team']).toBe('payments');
  });
});
