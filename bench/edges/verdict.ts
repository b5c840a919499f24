import { target } from '../lanes/figures.js';
import type { Result } from './measured.js';

/** What must hold on every machine, and did not. */
const broken: string[] = [];

/** Holds on every machine, also on a busy one: the bench fails without it. */
export function mustHold(what: string, holds: boolean): void {
  if (!holds) broken.push(what);
}

/** No call failed, none has an unknown outcome, and each got its own answer. */
export function mustBeRight(where: string, { errors, failures, unknown, wrong }: Result): void {
  const kinds = Object.entries(errors).map(([name, count]) => `${count} ${name}`);
  mustHold(`${where}: no call fails: ${kinds.join(', ')}`, failures === 0);
  mustHold(`${where}: no outcome is unknown: ${unknown}`, unknown === 0);
  mustHold(`${where}: no answer reaches another call: ${wrong}`, wrong === 0);
}

/** A figure that a quiet machine should reach; a busy one may miss it. */
export function shouldReach(what: string, value: string, reached: boolean): void {
  target(`${what}: ${value}`, reached);
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
