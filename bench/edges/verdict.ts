import type { Result } from './measured.js';

/** What must hold on every machine, and did not. */
const broken: string[] = [];

/** Holds on every machine, also on a busy one: the bench fails without it. */
export function mustHold(what: string, holds: boolean): void {
  if (!holds) broken.push(what);
}

/** No call failed, none has an unknown outcome, and each got its own answer. */
export function mustBeRight(where: string, result: Result): void {
  const { failures, unknown, wrong } = result;
  mustHold(`${where}: no call fails: ${failed(result)}`, failures === 0);
  mustHold(`${where}: no outcome is unknown: ${unknown}`, unknown === 0);
  mustHold(`${where}: no answer reaches another call: ${wrong}`, wrong === 0);
}

/** The failed calls by kind, or 0. */
export function failed({ errors }: Pick<Result, 'errors'>): string {
  const kinds = Object.entries(errors).map(([name, count]) => `${count} ${name}`);
  return kinds.join(', ') || '0';
}

/** Prints whether a figure was reached that a quiet machine should reach; a busy one may miss it. */
export function shouldReach(what: string, value: string, reached: boolean): void {
  console.log(`- ${reached ? 'reached' : 'NOT REACHED'}: ${what}: ${value}`);
}

/** Prints what did not hold; true when there is nothing. */
export function allHeld(): boolean {
  for (const what of broken) console.error(`BROKEN: ${what}`);
  return broken.length === 0;
}

export const percent = (share: number, digits = 2): string => `${(share * 100).toFixed(digits)} %`;

/** Refusals for each call, that the service counted. */
export const refusedShare = ({ service, whole }: Result): number => service.refused / whole.calls;
export const refusedShareSettled = (result: Result): number =>
  result.serviceSettled.refused / (result.settled ?? result.whole).calls;
