import fc from 'fast-check';

/** Assets of every class but one, with prices from very high to very low, one without places. */
export const ASSETS = [
  ...(['fiat:USD', 'fiat:EUR', 'fiat:JPY'] as const),
  ...(['crypto:BTC', 'crypto:ETH', 'crypto:SHIB', 'stablecoin:USDC'] as const),
] as const;

const account = fc.nat(1);
const asset = fc.constantFrom(...ASSETS);

/** Amounts from dust to more than anybody has, and with more places than an asset has or a decimal usually keeps. */
const amount = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: fc.bigInt(0n, 20n) },
      { weight: 2, arbitrary: fc.bigInt(20n, 5_000n) },
      { weight: 1, arbitrary: fc.bigInt(5_000n, 10n ** 13n) },
    ),
    fc.oneof(fc.constant(''), fc.stringMatching(/^[0-9]{1,3}$/), fc.stringMatching(/^[0-9]{90,110}$/)),
  )
  .map(([whole, fraction]) => (fraction === '' ? `${whole}` : `${whole}.${fraction}`));

const quote = fc.record({
  do: fc.constant('quote' as const),
  account,
  from: asset,
  to: asset,
  amount,
  /** The side that carries the amount. */
  fixed: fc.constantFrom('from' as const, 'to' as const),
  bps: fc.constantFrom(0, 7, 33.3),
  /** Right away. */
  executed: fc.boolean(),
});

/** `which` counts back from the newest quote. */
const which = fc.nat(5);
const execute = fc.record({ do: fc.constant('execute' as const), which });
const fail = fc.record({ do: fc.constant('fail' as const), which });

const convert = fc.record({
  do: fc.constant('convert' as const),
  account,
  from: asset,
  to: asset,
  amount,
  ends: fc.constantFrom(['balance', 'bank'] as const, ['bank', 'balance'] as const, ['balance', 'wallet'] as const),
  fails: fc.boolean(),
});

const deposit = fc.record({ do: fc.constant('deposit' as const), account, asset, amount });

const advance = fc.record({
  do: fc.constant('advance' as const),
  ms: fc.constantFrom(1, 500, 2_000, 31_000, 120_000, 86_400_000, 3 * 86_400_000),
});

/** One thing that happens, by the API, by who runs the sandbox, or by time. */
export const step = fc.oneof(
  { weight: 4, arbitrary: quote },
  { weight: 4, arbitrary: execute },
  { weight: 1, arbitrary: fail },
  { weight: 2, arbitrary: convert },
  { weight: 1, arbitrary: deposit },
  { weight: 2, arbitrary: advance },
);
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
export type StepOf<Kind extends Step['do']> = Extract<Step, { do: Kind }>;
