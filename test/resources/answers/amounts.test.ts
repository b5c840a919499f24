import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { Decimal, type PartnerClient, ResponseValidationError } from '../../../src/index.js';
import { invoke, operation, withMember } from '../support/operations.js';
import { forRequest, json, rejection, startService } from '../support/service.js';

const service = startService();
const ACCOUNT = 'ACCOUNT-MAIN-0001';
const MODES = ['tolerant', 'strict', 'warn'] as const;

type Side = 'from' | 'to';

/** Asks for a quote with this amount, from a service that answers another amount of that side. */
async function ask(client: PartnerClient, onchain: boolean, side: Side, asked: Decimal | string, given: string) {
  const op = operation(onchain ? 'accounts.onchainQuotes.create' : 'accounts.quotes.create');
  service.answer((request) => json(withMember(forRequest(request, op.answer), `data.${side}.amount`, given)));
  const wallet = { address: '0xc11e', network: 'ethereum' };
  const sides = {
    from: { symbol: 'USD', type: 'fiat', ...(onchain && { wallet }) },
    to: { symbol: 'BTC', type: 'crypto' },
  };
  const body = withMember(sides, side, { ...sides[side], amount: asked }) as never;
  await (onchain ? client.accounts.onchainQuotes.create(ACCOUNT, body) : client.accounts.quotes.create(ACCOUNT, body));
}

/** An amount as a whole number of units of 10 to the power of -places, without the help of a library. */
function written(units: bigint, places: number): string {
  const digits = units.toString().padStart(places + 1, '0');
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** An amount with some places, and fewer places for its response. */
const roundings = fc
  .record({
    units: fc.bigInt({ min: 0n, max: 10n ** 120n }),
    places: fc.integer({ min: 0, max: 100 }),
    dropped: fc.integer({ min: 0, max: 100 }),
    onchain: fc.boolean(),
    side: fc.constantFrom<Side>('from', 'to'),
  })
  .map(({ dropped, ...rest }) => {
    const kept = Math.max(0, rest.places - dropped);
    const unit = 10n ** BigInt(rest.places - kept);
    return { ...rest, kept, below: rest.units / unit, isExact: rest.units % unit === 0n };
  });

describe('the amount of the side that a quote is asked for', () => {
  it('may be rounded in any way to the places of the response', async () => {
    const client = service.client();
    const modes = fc.constantFrom(...([0, 1, 2, 3, 4, 5, 6, 7, 8] as const));
    await fc.assert(
      fc.asyncProperty(roundings, modes, async ({ units, places, kept, onchain, side }, mode) => {
        const asked = written(units, places);
        await ask(client, onchain, side, asked, new Decimal(asked).toFixed(kept, mode));
      }),
    );
  });

  it('is that of another call when it differs by one unit of its last place, or more', async () => {
    const client = service.client();
    const far = fc.oneof(fc.constantFrom(1n, 2n, -1n), fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }));
    await fc.assert(
      fc.asyncProperty(roundings, far, async ({ units, places, kept, below, isExact, onchain, side }, steps) => {
        // One step above what was cut off is a rounding up.
        fc.pre(steps !== 0n && (steps !== 1n || isExact) && below + steps >= 0n);
        const given = written(below + steps, kept);
        const call = ask(client, onchain, side, written(units, places), given);
        await rejection(call, ResponseValidationError, {
          outcome: 'unknown',
          issues: [{ path: `data.${side}.amount` }],
        });
      }),
    );
  });

  it.each(MODES)('is compared in %s mode, and no message has it', async (responseValidation) => {
    const client = service.client({ responseValidation });
    const error = await rejection(ask(client, false, 'from', '100.00', '10000.00'), ResponseValidationError);
    expect(error.message).toContain('belongs to another call');
    expect(error.message).not.toContain('10000');
  });

  it('is a number, however it is written, and a Decimal is compared, too', async () => {
    const client = service.client();
    for (const given of ['100', '+100.0', '100.000', '1e2', '1.00E+2', '10000e-2'])
      await ask(client, false, 'from', '100.00', given);
    await ask(client, false, 'to', new Decimal('0.1'), '.1');
    for (const given of ['99', '101', '100.01', '1e3', '10001e-2', '-100'])
      await rejection(ask(client, false, 'from', '100.00', given), ResponseValidationError);
  });

  it('is compared exactly, at any length', async () => {
    await ask(service.client(), false, 'from', `1.${'9'.repeat(200)}`, '1');
    await rejection(ask(service.client(), false, 'from', '1', `2.${'0'.repeat(199)}`), ResponseValidationError);
  });

  it('keeps the zeros of the response: 100.00 is not 100.50', async () => {
    await rejection(ask(service.client(), false, 'from', '100.50', '100.00'), ResponseValidationError);
    await ask(service.client(), false, 'from', '100.50', '100');
  });

  it('is not compared when the service computes that side, or leaves it out', async () => {
    const client = service.client({ logger: { warn: vi.fn() } });
    const op = operation('accounts.quotes.create');
    for (const [member, value] of [
      ['data.to.amount', '7'],
      ['data.from.amount', undefined],
    ] as const) {
      service.answer((request) => json(withMember(forRequest(request, op.answer), member, value)));
      await client.accounts.quotes.create(ACCOUNT, {
        from: { symbol: 'USD', type: 'fiat', amount: '100.00' },
        to: { symbol: 'BTC', type: 'crypto' },
      });
    }
  });
});

describe('a member that the service does not promise to repeat', () => {
  /** Another value for each of them. */
  const UNPROMISED: readonly (readonly [operation: string, member: string, other: string])[] = [
    ['funds.withdrawals.create', 'amount', '5000'],
    ['funds.withdrawalAddresses.save', 'key', 'another-name'],
    ['funds.withdrawalAddresses.update', 'key', 'another-name'],
    ['accounts.wallets.whitelist', 'via', 'sepa'],
    ['accounts.wallets.whitelist', 'address', '0xanother'],
    ['accounts.transfers.create', 'amount', '5000'],
    ['accounts.transfers.create', 'from.asset.amount', '5000'],
    ['accounts.transfers.create', 'from.asset.symbol', 'OTHER'],
    ['accounts.deposits.create', 'asset.amount', '5000'],
    ...['accounts.conversions.create', 'accounts.conversionRules.create'].flatMap((name) => [
      [name, 'from.asset.amount', '5000'] as const,
      [name, 'to.asset.symbol', 'OTHER'] as const,
    ]),
  ];

  it.each(UNPROMISED)(
    '%s: %s is a warning when it differs, once and without a value, and never an error',
    async (name, member, other) => {
      const warn = vi.fn();
      const client = service.client({ logger: { warn } });
      const op = operation(name);
      service.answerJson(withMember(op.answer, `data.${member}`, other));
      for (let calls = 0; calls < 2; calls++) expect(await invoke(op, client)).toBeDefined();
      expect(warn.mock.calls).toEqual([
        [
          'partner-sdk: a response repeats a member of its request with another value, so it may belong to another call',
          { operation: name, path: `data.${member}` },
        ],
      ]);
    },
  );

  it.each(UNPROMISED)('%s: %s is none when it is the same, or absent', async (name, member) => {
    const warn = vi.fn();
    const client = service.client({ logger: { warn } });
    const op = operation(name);
    service.answerJson(op.answer);
    await invoke(op, client);
    service.answerJson(withMember(op.answer, `data.${member}`, undefined));
    await invoke(op, client);
    expect(JSON.stringify(warn.mock.calls)).not.toContain('another value');
  });
});
