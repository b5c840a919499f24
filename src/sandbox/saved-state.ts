import type { Decimal } from '../core/decimal.js';
import { BoundedMap } from './bounded-map.js';
import { type Asset, assetKey, type Catalogue } from './catalogue.js';
import { BOOK_NAMES, type Book, type Books, Holdings } from './ledger.js';
import { QUOTES_KEPT, WALLETS_KEPT } from './seed/seed.js';
import type { AccountData, SnapshotData, WrittenAccount, WrittenSnapshot } from './snapshot.js';
import type { AccountState, ConversionMoney, State } from './state.js';

/** The members of a snapshot that hold the state. */
type StateMember = 'now' | 'agenda' | 'users' | 'accounts' | 'books' | 'rejectedAddresses' | 'webhooks';

export function saveState(state: State): Pick<WrittenSnapshot, StateMember> {
  return {
    now: state.clock.now(),
    agenda: [...state.clock.agenda],
    users: Array.from(state.users.values(), ({ user, verifications }) => ({ user, verifications: [...verifications] })),
    accounts: Array.from(state.accounts.values(), saveAccount),
    books: saveBooks(state.books),
    rejectedAddresses: [...state.rejectedAddresses],
    webhooks: state.webhooks.save(),
  };
}

/** Puts saved data in the place of the state that the seed has made. What can be made from the seed alone stays as it is. */
export function restoreState(state: State, data: Pick<SnapshotData, StateMember>): void {
  replace(
    state.users,
    data.users.map(({ user, verifications }) => [user.id, { user, verifications }] as const),
  );
  replace(
    state.accounts,
    data.accounts.map((account) => [account.id, restoreAccount(account, state.catalogue)] as const),
  );
  for (const name of BOOK_NAMES) replace(state.books[name].sums, data.books[name]);
  state.rejectedAddresses.clear();
  for (const address of data.rejectedAddresses) state.rejectedAddresses.add(address);
  // Deliveries plan their attempts themselves: those under way at the time of saving are in no agenda.
  state.clock.restore({ now: data.now, agenda: data.agenda.filter(({ task }) => task.kind !== 'webhook.attempt') });
  state.webhooks.restore(data.webhooks);
}

function replace<Key, Value>(map: Map<Key, Value>, entries: Iterable<readonly [Key, Value]>): void {
  map.clear();
  for (const [key, value] of entries) map.set(key, value);
}

function saveBooks(books: Books): WrittenSnapshot['books'] {
  const written = (book: Book) => Object.entries(book.toJSON());
  return { exchange: written(books.exchange), fees: written(books.fees), outside: written(books.outside) };
}

function saveAccount(account: AccountState): WrittenAccount {
  return {
    id: account.id,
    conversions: account.conversions.map(({ money, ...record }) => ({
      ...record,
      ...(money === undefined ? {} : { money: saveMoney(money) }),
    })),
    quotes: [...account.quotes.values()],
    wallets: [...account.wallets.values()],
    holdings: account.holdings.list().map(({ asset, total, held, entryUsd, realizedUsd }) => ({
      asset: assetKey(asset),
      ...texts({ total, held, entryUsd, realizedUsd }),
    })),
    withdrawalAddresses: [...account.withdrawalAddresses],
    fundingAddresses: [...account.fundingAddresses],
    bankLinks: [...account.bankLinks.values()],
    depositLimits: Array.from(account.depositLimits, ([symbol, limits]) => [symbol, [...limits]]),
  };
}

function restoreAccount(data: AccountData, catalogue: Catalogue): AccountState {
  const asset = (key: string): Asset => assetOf(catalogue, key);
  return {
    id: data.id,
    conversions: data.conversions.map(({ money, ...record }) => ({
      ...record,
      ...(money === undefined ? {} : { money: { ...money, from: asset(money.from), to: asset(money.to) } }),
    })),
    quotes: new BoundedMap(
      QUOTES_KEPT,
      data.quotes.map((record) => [record.quote.id, record]),
    ),
    wallets: new BoundedMap(
      WALLETS_KEPT,
      data.wallets.map((wallet) => [wallet.id, wallet]),
    ),
    holdings: new Holdings(data.holdings.map((holding) => ({ ...holding, asset: asset(holding.asset) }))),
    withdrawalAddresses: new Map(data.withdrawalAddresses),
    fundingAddresses: new Set(data.fundingAddresses),
    bankLinks: new Map(data.bankLinks.map((link) => [link.bank_link_id, link])),
    depositLimits: new Map(data.depositLimits),
  };
}

function assetOf(catalogue: Catalogue, key: string): Asset {
  const asset = catalogue.assets.find((one) => assetKey(one) === key);
  if (asset === undefined) throw new TypeError(`createSandbox: snapshot names an asset that does not exist: ${key}`);
  return asset;
}

function saveMoney({ from, to, gross, fromFee, tradeFee, toFee, net }: ConversionMoney) {
  return { from: assetKey(from), to: assetKey(to), ...texts({ gross, fromFee, tradeFee, toFee, net }) };
}

function texts<Name extends string>(amounts: Record<Name, Decimal>): Record<Name, string> {
  const written = Object.entries<Decimal>(amounts).map(([name, amount]) => [name, amount.toFixed()]);
  return Object.fromEntries(written) as Record<Name, string>;
}
