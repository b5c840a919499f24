import { createHash } from 'node:crypto';
import { DAY_MS, timestamp } from '../../core/clock/clock.js';
import type { State } from '../../core/records/state.js';
import { type EntrySide, entries, type LedgerEntry } from '../shared/entries.js';

/** In ascending order, each with one file a day. `funding` has the entries of no other type. */
const REPORT_TYPES = ['earn_rewards', 'funding', 'price_trigger_swaps', 'swaps'] as const;
type ReportType = (typeof REPORT_TYPES)[number];

const TYPE_OF_ENTRIES: Readonly<Record<string, ReportType>> = {
  simple_order: 'swaps',
  simple_order_failed: 'swaps',
  price_trigger_swap: 'price_trigger_swaps',
  price_trigger_swap_failed: 'price_trigger_swaps',
  earn_reward: 'earn_rewards',
};

/** Number of days whose reports are kept; older ones are dropped. */
const MAX_DAYS = 366;

/** A report without its file, which is generated when it is requested. */
export interface ReportFacts {
  /** UUID, the same each time it is read. */
  readonly id: string;
  /** For example `2026-01-15`. */
  readonly date: string;
  readonly type: ReportType;
}

/**
 * Returns the reports of all past days, newest first. The reports of a day exist once it has ended.
 * The first day is the one before the sandbox's start.
 */
export function reportsOf({ clock }: State): ReportFacts[] {
  const [first, today] = [dayOf(clock.began) - 1, dayOf(clock.now())];
  const days = Array.from({ length: Math.min(today - first, MAX_DAYS) }, (_, index) => today - 1 - index);
  return days.flatMap((day) => {
    const date = timestamp(day * DAY_MS).slice(0, 10);
    return REPORT_TYPES.map((type) => ({ id: idOf(`${date} ${type}`), date, type }));
  });
}

const dayOf = (moment: number): number => Math.floor(moment / DAY_MS);

function idOf(name: string): string {
  const hex = createHash('sha256').update(`settlement report ${name}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** Returns the report as the API shows it. `size` is the length of its file in bytes, as text. */
export function reportOf(state: State, { id, date, type }: ReportFacts) {
  const size = String(Buffer.byteLength(fileOf(state, { date, type })));
  return { id, date, type, size, name: nameOf({ date, type }) };
}

export const nameOf = ({ date, type }: Pick<ReportFacts, 'date' | 'type'>): string => `${type}-${date}.csv`;

const SIDE_COLUMNS = ['symbol', 'type', 'sub_total', 'fee', 'total', 'balance'] as const;
const COLUMNS = [
  ...['id', 'timestamp', 'account_id', 'type', 'status', 'reference'],
  ...['spend', 'receive'].flatMap((side) => SIDE_COLUMNS.map((column) => `${side}_${column}`)),
];

/** Generates the report's file: CSV with a header row, oldest movement first. */
export function fileOf({ accounts }: State, { date, type }: Pick<ReportFacts, 'date' | 'type'>): string {
  const from = Date.parse(date);
  const isOfReport = (entry: LedgerEntry): boolean =>
    entry.at >= from && entry.at < from + DAY_MS && (TYPE_OF_ENTRIES[entry.type] ?? 'funding') === type;
  const rows = [...accounts.values()].flatMap(({ id, records }) =>
    [...records.of(entries).values()].filter(isOfReport).map((entry) => ({ account: id, entry })),
  );
  rows.sort((a, b) => a.entry.at - b.entry.at);
  const lines = [COLUMNS, ...rows.map(({ account, entry }) => cellsOf(account, entry))];
  return lines.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

function cellsOf(account: string, { id, at, type, status, reference, spend, receive }: LedgerEntry): string[] {
  return [id, timestamp(at), account, type, status, reference, ...cellsOfSide(spend), ...cellsOfSide(receive)];
}

function cellsOfSide(side: EntrySide | undefined): string[] {
  if (side === undefined) return SIDE_COLUMNS.map(() => '');
  const [type = '', symbol = ''] = side.asset.split(':');
  return [symbol, type, side.sub_total, side.fee, side.total, side.balance];
}

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
