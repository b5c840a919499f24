/** Samples: the examples of the operations, with every member that their schemas have beside. */
import type {
  BankLink,
  Conversion,
  Decimal,
  DepositMethod,
  OnchainQuote,
  OnDemandConversion,
  PriceTriggerSwap,
  Quote,
  SwapAsset,
  Transfer,
  User,
  WebhookSubscription,
} from '../../../src/index.js';
import { operations } from '../../../src/resources/operations.js';
import { amount } from '../../../src/schema/schema.js';
import * as z from '../../../src/schema/zod.js';
import { isRecord } from '../../../src/util/options.js';
import { type Example, makeExamples } from '../../../tools/examples/examples.js';

type Schema = z.core.$ZodType;

const EXAMPLES = await makeExamples();

/** Texts of which an input takes one or another. */
const TEXTS = ['quote.executed', 'US', '5', 'https://partner.example/a'];

/** A value of a schema: the given one, with all that it may have. */
function completed(schema: Schema, value?: unknown, text = TEXTS[0]): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if ('innerType' in def) return completed(def.innerType as Schema, value ?? undefined, text);
  switch (def.type) {
    case 'object': {
      const members = Object.entries(def.shape).map(([name, member]) => {
        return [name, completed(member, isRecord(value) ? value[name] : undefined, text)] as const;
      });
      return { ...(isRecord(value) && value), ...Object.fromEntries(members) };
    }
    case 'array': {
      const items: unknown[] = Array.isArray(value) && value.length > 0 ? value.slice(0, 2) : [undefined];
      return items.map((item) => completed(def.element, item, text));
    }
    case 'union':
      return completed(
        def.options.find((one) => value !== undefined && z.safeParse(one, value).success) ?? (def.options[0] as Schema),
        value,
        text,
      );
    case 'literal':
      return value ?? def.values[0];
    case 'number':
      return value ?? 1;
    case 'boolean':
      return value ?? true;
    default:
      return value ?? (schema === amount() ? '5' : text);
  }
}

/** Adds to an input each member with which it still keeps all rules. */
function allowed(schema: Schema, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type !== 'object') return given;
  let input: Record<string, unknown> = given;
  for (const [name, member] of Object.entries(def.shape)) {
    if (given[name] !== undefined && !isRecord(given[name])) continue;
    const values = TEXTS.map((text) => completed(member, given[name], text));
    const fitting = values
      .map((value) => ({ ...input, [name]: value }))
      .find((one) => z.safeParse(schema, one).success);
    if (fitting !== undefined) input = fitting;
  }
  return input;
}

interface Sample {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>> | undefined;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly answer: unknown;
}

/** The example of an operation, with all that its input may have, and its answer. */
export function sampleOf(name: string): Sample {
  const { query, body, answer } = operations.find((one) => one.name === name) ?? {};
  // Written as JSON: no two places share a value.
  const { params = {}, answer: answered, ...given }: Example = JSON.parse(JSON.stringify(EXAMPLES.get(name)));
  return {
    params,
    query: query && allowed(query(), given.query ?? {}),
    body: body && allowed(body(), given.body as Record<string, unknown>),
    answer: answer?.kind === 'value' ? completed(answer.schema(), answered) : answered,
  };
}

/** What the service sends for a value, with every member that may be missing. */
type Sent<T> = T extends Decimal
  ? string
  : T extends readonly (infer Item)[]
    ? Sent<Item>[]
    : T extends object
      ? { [Name in keyof T]-?: Sent<NonNullable<T[Name]>> }
      : T;

const dataOf = <T>(name: string): Sent<T> => (sampleOf(name).answer as { data: Sent<T> }).data;

const itemOf = <T>(name: string): Sent<T> => (sampleOf(name).answer as { data: Sent<T>[] }).data[0] as Sent<T>;

export const user = dataOf<User>('users.get');
export const quote = dataOf<Quote>('accounts.quotes.get');
export const webhook = itemOf<WebhookSubscription>('webhooks.list');
export const onchainQuote = dataOf<OnchainQuote>('accounts.onchainQuotes.get');
export const priceTriggerSwap = dataOf<PriceTriggerSwap>('accounts.priceTriggerSwaps.get');
export const accountConversion = dataOf<Conversion>('conversions.get');
export const moneyTransfer = dataOf<Transfer>('transfers.get');
export const bankLink = dataOf<BankLink>('funds.bankLinks.get');
export const depositMethod = itemOf<DepositMethod>('funds.depositMethods.list');
export const swapAsset = itemOf<SwapAsset>('swap.assets.list');

/** An on-demand conversion between ends of the two kinds that have an amount. */
export const conversion = {
  ...itemOf<Omit<OnDemandConversion, 'from' | 'to'>>('accounts.onDemandConversions.list'),
  from: { type: 'balance', symbol: 'USD', amount: '100.00', status: 'settled' },
  to: {
    type: 'wallet',
    symbol: 'XRP',
    amount: '41.5',
    status: 'settled',
    wallet: { via: 'ripple', address: 'rAddress', memo: '12', tag: '34' },
  },
};
