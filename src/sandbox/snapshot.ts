import { z } from 'zod';
import { isRecord } from '../core/checks.js';
import { Decimal } from '../core/decimal.js';
import type { WhitelistedWallet } from '../resources/accounts/wallets.js';
import type { BankLink } from '../resources/funds/bank-links.js';
import type { DepositLimit } from '../resources/funds/deposit-limits.js';
import type { Remembered } from './idempotency.js';
import type { BOOK_NAMES } from './ledger.js';
import type { SandboxFixtures } from './seed/fixtures.js';
import type { ConversionRecord, QuoteRecord, Task, UserState } from './state.js';
import type { Delivery } from './webhooks/delivery.js';
import type { SubscriptionRecord } from './webhooks/subscriptions.js';
import type { Wire } from './wire.js';

/** The whole state of a sandbox as plain JSON data: what `Sandbox.snapshot` gives and `createSandbox({ snapshot })` goes on from. */
export interface SandboxSnapshot {
  readonly format: 'partner-sandbox';
  readonly version: 1;
  readonly seed: number;
  readonly [member: string]: unknown;
}

const decimal = z
  .string()
  .regex(/^-?[0-9]+(\.[0-9]+)?$/, 'must be a decimal number as text')
  .transform((text) => new Decimal(text));

/** An object with these members: enough to tell that it is one; what they hold was written by the service itself. */
const having = <T>(...members: readonly (keyof T & string)[]) =>
  z.custom<T>((value) => isRecord(value) && members.every((name) => name in value), `needs ${members.join(', ')}`);

const sums = z.array(z.tuple([z.string(), decimal]));

const conversion = z.object({
  conversion: having<ConversionRecord['conversion']>('id', 'status', 'from', 'to', 'created_at'),
  sequence: z.number(),
  fails: z.boolean(),
  references: having<ConversionRecord['references']>('transaction_id', 'blockchain_transaction_id'),
  money: z
    .object({
      from: z.string(),
      to: z.string(),
      gross: decimal,
      fromFee: decimal,
      tradeFee: decimal,
      toFee: decimal,
      net: decimal,
    })
    .optional(),
});

const verification = having<UserState['verifications'][number]>('verification_id', 'status');

const account = z.object({
  id: z.string(),
  conversions: z.array(conversion),
  quotes: z.array(
    z.object({
      quote: having<QuoteRecord['quote']>('id', 'status', 'expires_at', 'from', 'to', 'fees'),
      held: z.boolean(),
      fails: z.boolean(),
    }),
  ),
  wallets: z.array(having<Wire<WhitelistedWallet>>('id', 'via', 'address', 'status')),
  holdings: z.array(
    z.object({ asset: z.string(), total: decimal, held: decimal, entryUsd: decimal, realizedUsd: decimal }),
  ),
  withdrawalAddresses: z.array(z.tuple([z.string(), z.object({ address: z.string(), tag: z.string().nullable() })])),
  fundingAddresses: z.array(z.string()),
  bankLinks: z.array(having<Wire<BankLink>>('bank_link_id', 'status', 'account_links')),
  depositLimits: z.array(z.tuple([z.string(), z.array(having<Wire<DepositLimit>>('method_id', 'period_limits'))])),
});

const snapshot = z.object({
  format: z.literal('partner-sandbox'),
  version: z.literal(1),
  seed: z.int(),
  /** How often a sandbox went on from it: ids that are drawn afterwards must be others. */
  generation: z.int(),
  now: z.number(),
  agenda: z.array(z.object({ at: z.number(), task: having<Task>('kind') })),
  fixtures: having<SandboxFixtures>('userId', 'accountId', 'methodId'),
  keys: z
    .array(
      z.object({
        apiKey: z.string(),
        apiSecret: z.base64(),
        lastNonce: z
          .string()
          .regex(/^[0-9]+$/)
          .optional(),
      }),
    )
    .nonempty(),
  idempotency: z.array(z.tuple([z.string(), having<Remembered>('fingerprint', 'answer', 'until')])),
  users: z.array(z.object({ user: having<UserState['user']>('id', 'status'), verifications: z.array(verification) })),
  accounts: z.array(account),
  books: z.object({ exchange: sums, fees: sums, outside: sums } satisfies Record<(typeof BOOK_NAMES)[number], unknown>),
  rejectedAddresses: z.array(z.string()),
  webhooks: z.object({
    changes: z.int(),
    subscriptions: z.array(having<SubscriptionRecord>('subscription', 'sequence', 'scheme', 'secrets')),
    deliveries: z.array(having<Delivery>('id', 'webhookId', 'body', 'status', 'attempts')),
  }),
});

/** A snapshot that was read: amounts are decimals. */
export type SnapshotData = z.output<typeof snapshot>;
export type AccountData = SnapshotData['accounts'][number];

/** What is written into a snapshot: amounts are text. */
export type WrittenSnapshot = z.input<typeof snapshot>;
export type WrittenAccount = WrittenSnapshot['accounts'][number];

/** Reads a copy of a snapshot. Throws a `TypeError` that tells where it is none. */
export function readSnapshot(value: unknown): SnapshotData {
  const result = snapshot.safeParse(structuredClone(value));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue?.path.join('.') || 'snapshot';
  throw new TypeError(`createSandbox: snapshot is not the data of a sandbox: ${where}: ${issue?.message}`);
}
