import type { Decimal } from '../../../schema/decimal.js';
import { isOfRun, type Task } from '../../core/clock/task.js';
import type { Catalogue } from '../../core/market/catalogue.js';
import { BOOK_NAMES, type Book, type BookName, type Books, Holdings, savedHolding } from '../../core/money/ledger.js';
import { Money } from '../../core/money/money.js';
import { Records } from '../../core/records/records.js';
import type { AccountState, State } from '../../core/records/state.js';
import { ACCOUNT_RECORDS, PARTNER_RECORDS } from '../../kinds/registry/derived.js';
import { KINDS } from '../../kinds/registry/index.js';
import type { WebhookDispatcher } from '../../webhooks/dispatcher.js';
import type { AccountData, SavedTask, SnapshotData, WrittenAccount, WrittenSnapshot } from './snapshot-schema.js';

type StateMember = 'clock' | 'accounts' | 'books' | 'prices' | 'assetStatuses' | 'records' | 'webhooks';

/** Returns the state. Write it at once, because the result shares objects with the state. */
export function saveState(state: State, dispatcher: WebhookDispatcher): Pick<WrittenSnapshot, StateMember> {
  const { agenda, ...clock } = state.clock.save();
  return {
    clock: {
      ...clock,
      agenda: agenda.flatMap(({ at, task }) => (isSaved(task) ? [{ at, task }] : [])),
    },
    accounts: Array.from(state.accounts.values(), saveAccount),
    books: saveBooks(state.books),
    prices: state.catalogue.savePrices(),
    assetStatuses: state.catalogue.saveStatuses(),
    records: state.records.save(),
    webhooks: dispatcher.save(),
  };
}

/** Deliveries schedule their own attempts, and faults belong to one run. */
const isSaved = (task: Task): task is SavedTask => task.kind !== 'webhook.attempt' && !isOfRun(task);

/** Reads a snapshot that this process has made, so it needs no check. */
export function ownSnapshot({ accounts, books, ...written }: WrittenSnapshot): SnapshotData {
  const sums = (book: WrittenSnapshot['books'][BookName]) =>
    book.map(([asset, sum]) => [asset, new Money(sum)] as [string, Decimal]);
  return {
    ...written,
    accounts: accounts.map(ownAccount),
    books: { exchange: sums(books.exchange), fees: sums(books.fees), outside: sums(books.outside) },
  };
}

function ownAccount({ holdings, ...account }: WrittenAccount): AccountData {
  return {
    ...account,
    holdings: holdings.map(({ asset, ...sums }) => ({ asset, ...decimals(sums) })),
  };
}

function decimals<Name extends string>(texts: Record<Name, string>): Record<Name, Decimal> {
  const read = Object.entries<string>(texts).map(([name, text]) => [name, new Money(text)]);
  return Object.fromEntries(read) as Record<Name, Decimal>;
}

/** Replaces the state in place with saved data. Data that depends on the seed alone is kept. */
export function restoreState(state: State, webhooks: WebhookDispatcher, data: Pick<SnapshotData, StateMember>): void {
  replace(
    state.accounts,
    data.accounts.map((account) => [account.id, restoreAccount(account, state.catalogue)] as const),
  );
  state.catalogue.restorePrices(data.prices);
  state.catalogue.restoreStatuses(data.assetStatuses);
  state.records.restore(data.records, PARTNER_RECORDS);
  for (const name of BOOK_NAMES) replace(state.books[name].sums, data.books[name]);
  for (const { replaced } of KINDS) replaced?.(state);
  state.clock.restore(data.clock);
  webhooks.restore(data.webhooks);
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
  return { id: account.id, holdings: account.holdings.list().map(savedHolding), records: account.records.save() };
}

function restoreAccount({ id, ...data }: AccountData, catalogue: Catalogue): AccountState {
  const holdings = data.holdings.map((holding) => ({ ...holding, asset: catalogue.keyed(holding.asset) }));
  const records = new Records();
  records.restore(data.records, ACCOUNT_RECORDS);
  return { id, holdings: new Holdings(id, holdings), records };
}
