import * as z from 'zod/mini';
import { listWebhooks, type WebhookSubscription } from '../../../resources/webhooks.js';
import type { Decimal } from '../../../schema/decimal.js';
import type { Wire } from '../../../schema/types.js';
import { IN_OUR_WORDS } from '../../../schema/validate/validate.js';
import { isRecord } from '../../../util/options.js';
import { readBySchema } from '../../core/basics/read-by-schema.js';
import { LAST_MOMENT_MS } from '../../core/clock/clock.js';
import type { RunTask, Task } from '../../core/clock/task.js';
import { SCOPES } from '../../core/keys/scopes.js';
import { MAX_NONCE_WINDOW } from '../../core/keys/used-nonces.js';
import { assetKey } from '../../core/market/catalogue.js';
import type { BOOK_NAMES } from '../../core/money/ledger.js';
import { Money } from '../../core/money/money.js';
import {
  amount,
  amountText,
  answered,
  decimal,
  knownAsset,
  milliseconds,
  recordsOf,
} from '../../core/records/saved-values.js';
import { ACCOUNT_RECORDS, PARTNER_RECORDS, STEPS } from '../../kinds/registry/derived.js';
import { savedFixtures } from '../../kinds/seed/fixtures.js';
import type { Delivery } from '../../webhooks/delivery/delivery.js';
import { DELIVERY_SCHEMES } from '../../webhooks/delivery/signature.js';

const account = z
  .object({
    id: z.string(),
    holdings: z.array(
      z.object({ asset: knownAsset, total: amount, held: amount, entryUsd: amount, realizedUsd: decimal }),
    ),
    records: recordsOf(ACCOUNT_RECORDS),
  })
  .check(
    z.superRefine((data, context) => {
      const claimed = claims(data);
      for (const [index, { asset, total, held }] of data.holdings.entries()) {
        if (held.lte(total) && held.gte(claimed.get(asset) ?? 0)) claimed.delete(asset);
        else context.addIssue({ code: 'custom', path: ['holdings', index, 'held'], message: HELD_RULE });
      }
      const [missing] = claimed.keys();
      if (missing !== undefined)
        context.addIssue({ code: 'custom', path: ['holdings'], message: `must have ${missing}` });
    }),
  );

const HELD_RULE = 'must be at most the total, and at least what quotes and conversions under way lay claim to';

/** Sums the amounts that open quotes and conversions hold, by asset. */
function claims({ records }: Pick<AccountData, 'records'>): Map<string, Decimal> {
  const claimed = new Map<string, Decimal>();
  const claim = (asset: string, value: Decimal | string): void => {
    claimed.set(asset, (claimed.get(asset) ?? new Money(0)).plus(value));
  };
  for (const { name, holds } of ACCOUNT_RECORDS) {
    for (const [, record] of records[name] ?? []) {
      for (const held of holds?.(record as never) ?? []) claim(assetKey(held), held.amount);
    }
  }
  return claimed;
}

/** Deliveries schedule their own attempts, so the saved agenda contains none. */
export type SavedTask = Exclude<Task, { kind: 'webhook.attempt' } | RunTask>;

const task = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('step'),
    step: z.string().check(z.refine((name) => Object.hasOwn(STEPS, name), 'is not a step of the sandbox')),
    id: z.string(),
    account: z.optional(z.string()),
    data: z.optional(z.record(z.string(), z.string())),
  }),
]) satisfies z.core.$ZodType<SavedTask>;

const nonce = z.string().check(z.regex(/^[0-9]+$/, 'must be a whole number as a string'));

const quota = z.object({ requests: z.int().check(z.minimum(1)), perMs: z.int().check(z.minimum(1)) });

const nonces = z.object({
  width: z.int().check(z.minimum(1), z.maximum(MAX_NONCE_WINDOW)),
  used: z.readonly(z.array(nonce).check(z.maxLength(MAX_NONCE_WINDOW))),
  floor: z.optional(nonce),
});

const key = z.object({
  apiKey: z.string().check(z.regex(/^[!-~]+$/, 'must be printable ASCII text without spaces')),
  apiSecret: z.base64(),
  createdAt: milliseconds,
  lastNonce: z.optional(nonce),
  nonces: z.optional(nonces),
  scopes: z.optional(z.readonly(z.array(z.enum(SCOPES)).check(z.minLength(1)))),
  quota: z.optional(quota),
  label: z.optional(z.string()),
  revoked: z.optional(z.literal(true)),
});

const enabled = z.object({ enabled: z.boolean() });

const assetStatus = z.object({
  swap_trading: z.object({
    enabled: z.boolean(),
    disabled_against: z.array(z.object({ symbol: z.string(), type: z.string(), name: z.string() })),
  }),
  withdraw: enabled,
  deposit: enabled,
});

const quotaWindow = z.object({ used: z.int().check(z.nonnegative()), until: z.number() });

const remembered = z.object({
  fingerprint: z.string(),
  answer: z.object({
    status: z.int(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
    instance: z.optional(z.string()),
  }),
  until: milliseconds,
  request: z.object({
    operation: z.string(),
    account: z.optional(z.string()),
    method: z.string(),
    path: z.string(),
    at: milliseconds,
  }),
});

const subscription = z.object({
  subscription: answered<Wire<WebhookSubscription>>(listWebhooks, ['data', 0]),
  sequence: z.int(),
  form: z.enum(['enveloped', 'flat']),
  scheme: z.enum(DELIVERY_SCHEMES),
  secrets: z.readonly(z.array(z.object({ secret: z.base64(), until: z.optional(milliseconds) }))),
});

/** The delivery itself, not a copy: its members keep their order. */
const delivery = z.custom<Delivery>().check(
  z.superRefine((value, context) => {
    const { error } = z.safeParse(deliveryRules, value, IN_OUR_WORDS);
    for (const { path, message } of error?.issues ?? []) context.addIssue({ code: 'custom', path, message });
  }),
);

const deliveryRules = z.looseObject({
  id: z.string(),
  webhookId: z.string(),
  eventId: z.string(),
  type: z.string(),
  at: milliseconds,
  body: z.string(),
  status: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.array(z.looseObject({ at: milliseconds, url: z.string(), ms: z.number(), redelivery: z.boolean() })),
  nextAttemptAt: z.optional(milliseconds),
});

const positiveText = amountText.check(z.regex(/[1-9]/, 'must be above 0'));

const sums = z.array(z.tuple([knownAsset, decimal]));

/** Version of the format; raised when the members of a snapshot change. */
export const SNAPSHOT_VERSION = 1;

export const snapshotSchema = z.object({
  format: z.literal('partner-sandbox'),
  version: z.literal(SNAPSHOT_VERSION),
  seed: z.int(),
  /** Number of sandboxes that have continued from it. Each issues different ids. */
  generation: z.int().check(z.nonnegative()),
  clock: z.object({
    began: milliseconds.check(z.maximum(LAST_MOMENT_MS)),
    now: milliseconds.check(z.maximum(LAST_MOMENT_MS)),
    ahead: z.optional(z.number().check(z.maximum(LAST_MOMENT_MS))),
    agenda: z.array(z.object({ at: milliseconds, task })),
  }),
  fixtures: savedFixtures,
  keys: z.array(key).check(z.minLength(1)),
  /** The current quota windows by API key. */
  quotas: z.array(z.tuple([z.string(), quotaWindow])),
  idempotency: z.array(z.tuple([z.string(), remembered])),
  accounts: z.array(account),
  books: z.object({ exchange: sums, fees: sums, outside: sums } satisfies Record<(typeof BOOK_NAMES)[number], unknown>),
  prices: z.array(z.tuple([knownAsset, milliseconds, positiveText])),
  /** Statuses of assets that differ from the seed. */
  assetStatuses: z.array(z.tuple([knownAsset, assetStatus])),
  records: recordsOf(PARTNER_RECORDS),
  webhooks: z.object({ changes: z.int(), subscriptions: z.array(subscription), deliveries: z.array(delivery) }),
});

/** A snapshot after reading: amounts are decimals. */
export type SnapshotData = z.output<typeof snapshotSchema>;
export type AccountData = SnapshotData['accounts'][number];

/** A snapshot before writing: amounts are text. */
export type WrittenSnapshot = z.input<typeof snapshotSchema>;
export type WrittenAccount = WrittenSnapshot['accounts'][number];

/** The whole state of a sandbox as plain JSON data. */
export interface SandboxSnapshot {
  readonly format: 'partner-sandbox';
  readonly version: 1;
  readonly seed: number;
  readonly [member: string]: unknown;
}

/**
 * Reads a copy of a snapshot. Throws a `TypeError` with the first wrong member, but without values.
 *
 * @param method Start of the message.
 */
export function readSnapshot(value: unknown, method: string): SnapshotData {
  const copy = copyOf(method, value);
  refuseOtherVersion(method, copy);
  const { value: read, issues } = readBySchema(snapshotSchema, copy);
  if (issues === undefined) return read;
  const [issue] = issues;
  throw notASnapshot(method, `${issue?.path || 'snapshot'}: ${issue?.message}`);
}

/** In another version, members may have another meaning. */
function refuseOtherVersion(method: string, value: unknown): void {
  const { format, version } = isRecord(value) ? (value as Partial<SandboxSnapshot>) : {};
  if (format !== 'partner-sandbox' || typeof version !== 'number' || version === SNAPSHOT_VERSION) return;
  const known = `this package reads version ${SNAPSHOT_VERSION} alone`;
  throw new TypeError(`${method}: the snapshot has version ${version}, ${known}: make a new one with \`snapshot()\``);
}

/** A copy, since later changes of the sandbox must not change the given data. */
function copyOf(method: string, value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    throw notASnapshot(method, 'snapshot: is not JSON data');
  }
}

const notASnapshot = (method: string, why: string): TypeError =>
  new TypeError(`${method}: snapshot is not the data of a sandbox: ${why}`);
