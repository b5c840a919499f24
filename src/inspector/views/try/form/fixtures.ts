import type { SandboxResource } from '../../../../sandbox/drive/look/resources.js';
import type { SendResult } from '../../../../sandbox/drive/requests/send.js';
import type { SandboxFixtures } from '../../../../sandbox/kinds/seed/fixtures.js';

/** The source of a form's value. */
export interface Origin {
  /** Its place in the form: `path.quote_id`, `body.method_id`. */
  readonly place: string;
  /** The kind of resources that it is an id of. */
  readonly kind?: string;
  /** Only resources in this state will do. */
  readonly status?: string;
  /** The operation that gives one if there is none, or in any case if it has no kind. */
  readonly maker?: string;
  /** The way to it in the answer of that operation. Default: `data.id`. */
  readonly at?: readonly (string | number)[];
}

const quote: Origin = { place: 'path.quote_id', kind: 'quotes', maker: 'accounts.quotes.create' };
const onchain: Origin = { place: 'path.quote_id', kind: 'onchainQuotes', maker: 'accounts.onchainQuotes.create' };
const swap: Origin = { place: 'path.id', kind: 'priceTriggerSwaps', maker: 'accounts.priceTriggerSwaps.create' };
const transfer: Origin = { place: 'path.transfer_id', kind: 'transfers', maker: 'accounts.transfers.create' };
const webhook: Origin = { place: 'path.webhook_id', kind: 'webhooks', maker: 'webhooks.create' };
const user: Origin = { place: 'path.user_id', kind: 'users', maker: 'users.create' };
const first = ['data', 0, 'id'] as const;

/** Values that a form cannot take from `fixtures`, by the names of the operations. */
const ORIGINS: Readonly<Record<string, readonly Origin[]>> = {
  'accounts.quotes.get': [quote],
  'accounts.quotes.execute': [{ ...quote, status: 'offered' }],
  'accounts.onchainQuotes.get': [onchain],
  'accounts.priceTriggerSwaps.get': [swap],
  'accounts.priceTriggerSwaps.cancel': [{ ...swap, status: 'active' }],
  'conversions.get': [{ place: 'path.conversion_id', kind: 'conversions', maker: 'accounts.conversions.create' }],
  'transfers.get': [transfer],
  'transfers.cancel': [{ ...transfer, status: 'pending' }],
  'webhooks.update': [webhook],
  'webhooks.delete': [webhook],
  'webhooks.test': [webhook],
  'funds.addresses.delete': [{ place: 'path.address_id', kind: 'fundingAddresses' }],
  'funds.bankLinks.get': [{ place: 'path.bank_link_id', kind: 'bankLinks' }],
  'funds.withdrawalAddresses.update': [
    { place: 'path.key', kind: 'withdrawalAddresses', maker: 'funds.withdrawalAddresses.save', at: ['data', 'key'] },
  ],
  'funds.depositAddresses.create': [{ place: 'body.method_id', maker: 'funds.depositMethods.list', at: first }],
  'reports.settlement.get': [{ place: 'path.report_id', maker: 'reports.settlement.list', at: first }],
};

export const originsOf = (operation: string): readonly Origin[] => ORIGINS[operation] ?? [];

/** Members of a path that the fixtures have under another name. */
export function fixtureOf(fixtures: SandboxFixtures, place: string): string | undefined {
  const known: Readonly<Record<string, string>> = {
    'path.account_id': fixtures.accountId,
    'path.user_id': fixtures.userId,
  };
  return known[place];
}

/** Members of bodies that other seeds have under other names, or that must be new each time. */
export function bodyFixtures(
  operation: string,
  fixtures: SandboxFixtures,
  used: readonly SandboxResource[],
): Readonly<Record<string, string>> {
  const fresh = (name: string): string => {
    const names = new Set(used.map(nameOf));
    for (let count = 2; ; count += 1) {
      if (!names.has(name)) return name;
      name = name.replace(/( \d+)?$/, ` ${count}`);
    }
  };
  if (operation === 'funds.withdrawalAddresses.save')
    return { method_id: fixtures.methodId, key: fresh('cold wallet') };
  if (operation === 'funds.withdrawalAddresses.update') return { new_key: fresh('vault') };
  if (operation === 'funds.withdrawals.create') return { key: bitcoinKey(used) ?? fixtures.withdrawalAddressKey };
  return {};
}

/** The API's name of a resource: the saved addresses of each account have names. */
export function nameOf({ id, record }: SandboxResource): string {
  return (record as { key?: string }).key ?? id;
}

/** The example withdraws bitcoin. */
function bitcoinKey(used: readonly SandboxResource[]): string | undefined {
  const found = used.find(({ record }) => (record as { asset?: string }).asset === 'crypto:BTC');
  return found && nameOf(found);
}

/** The operations that go on with what an operation has made, and where they take its id. */
export interface NextStep {
  readonly operation: string;
  readonly place: string;
}

export function nextStepsOf(operation: string): NextStep[] {
  const all = { ...ORIGINS, ...USER_STEPS };
  const kinds = new Set(
    Object.values(all)
      .flatMap((origins) => origins.filter(({ maker }) => maker === operation))
      .map(({ kind }) => kind),
  );
  for (const { kind } of all[operation] ?? []) kinds.add(kind);
  kinds.delete(undefined);
  return Object.entries(all).flatMap(([name, origins]) => {
    const origin = origins.find(({ kind }) => kinds.has(kind));
    return origin === undefined || name === operation ? [] : [{ operation: name, place: origin.place }];
  });
}

/** A new form names the user of the fixtures; these go on with one that was made. */
const USER_STEPS: Readonly<Record<string, readonly Origin[]>> = {
  'users.get': [user],
  'users.verifications.submitUrl': [user],
  'users.assets.list': [user],
};

/** The kind of the resource that an operation answers, if the page can show it. */
export function kindOf(operation: string): string | undefined {
  const own = [...(ORIGINS[operation] ?? []), ...(USER_STEPS[operation] ?? [])];
  const made = Object.values({ ...ORIGINS, ...USER_STEPS })
    .flat()
    .find(({ maker, at }) => maker === operation && at === undefined);
  return (own[0] ?? made)?.kind;
}

/** Returns the value at a place of an answer, as text. */
export function idIn(
  { body }: Pick<SendResult, 'body'>,
  at: readonly (string | number)[] = ['data', 'id'],
): string | undefined {
  const found = at.reduce<unknown>(
    (value, name) => (value as Record<string | number, unknown> | undefined)?.[name],
    body,
  );
  return typeof found === 'string' ? found : undefined;
}
