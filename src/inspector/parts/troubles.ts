import type { Trouble } from '../wire/sandbox.js';
import { type Reading, useReading } from './hooks.js';
import { spanOf } from './values/times.js';

/** The troubles that are active, oldest first. */
export const useTroubles = (): Reading<readonly Trouble[]> => useReading<readonly Trouble[]>('troubles');

/** True for a trouble of deliveries. */
export const isOfDeliveries = ({ does }: Trouble): boolean => typeof does === 'object' && 'delivery' in does;

/** What goes wrong, in a few words. */
export function whatOf({ does, when }: Trouble): string {
  if (typeof does !== 'object') return joined([does, when && `${when} the effect`]);
  if ('delivery' in does) {
    const { delayMs, ...effects } = does.delivery;
    return membersText({ delay: delayMs && spanOf(delayMs), ...effects });
  }
  if ('delayMs' in does) return `delay ${[does.delayMs].flat().join(' to ')} ms`;
  const { causes: _, ...facts } = 'fault' in does ? does : { ...does, causes: undefined };
  const [[, first] = [], ...others] = Object.entries(facts);
  return joined([first, when && `${when} the effect`, membersText(Object.fromEntries(others))]);
}

/** The requests or deliveries that it applies to, in a few words. */
export function targetOf(trouble: Trouble): string {
  const { match: { operation, ...others } = {}, probability } = trouble;
  const all = isOfDeliveries(trouble) ? 'deliveries' : 'every request';
  return joined([operation ?? all, membersText({ ...others, probability })]);
}

/** The paths of the options that troubles of deliveries do not have. */
export const NOT_OF_DELIVERIES: string[] = [
  'options.when',
  ...['operation', 'accountId', 'userId', 'apiKey', 'idempotencyKey', 'path'].map((name) => `options.match.${name}`),
];

const joined = (parts: readonly unknown[]): string => parts.filter(Boolean).join(' · ');

/** For example `accountId AA3 · nth 2`. */
const membersText = (members: object): string =>
  joined(Object.entries(members).map(([name, value]) => value !== undefined && `${name} ${value}`));
