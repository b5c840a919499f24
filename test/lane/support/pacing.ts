import { expect } from 'vitest';
import type { Pacer, PacerOptions, Start, Starting } from '../../../src/lane/pacer.js';

/** As the lane gives them for each way. */
export const POOL: PacerOptions = { startGap: 1, firstUseHold: 0, refusals: 0.01 };
export const HTTP2: PacerOptions = { startGap: 0.1, bodyGap: 1, firstUseHold: 0, refusals: 0.01 };
export const FETCH: PacerOptions = { startGap: 1, firstUseHold: 10, refusals: 0.01 };

/** Kinds of starts. */
export const PLAIN: Starting = { withBody: false, firstUse: false, retry: false, queued: 0 };
export const FIRST_USE = { firstUse: true };
export const REPEAT = { retry: true };
export const BODY = { withBody: true };

/** One event of a table: a start with its name and kind, its end, or what is expected then. */
export type Row =
  | readonly [at: number, event: 'start', name: string, kind?: Partial<Starting>]
  | readonly [at: number, event: 'accepted', name: string]
  | readonly [at: number, event: 'refused', name: string]
  | readonly [at: number, event: 'lost', name: string]
  | readonly [at: number, event: 'wait', expected: number]
  | readonly [at: number, event: 'wait of a repeat', expected: number]
  | readonly [at: number, event: 'gap', expected: number];

/** Plays a table to a pacer: each row at its time in ms. */
export function play(pacer: Pacer, rows: readonly Row[]): void {
  const starts = new Map<string, Start>();
  for (const [at, event, given, kind] of rows) {
    const text = `at ${at} ms: ${event}`;
    if (event === 'start') starts.set(given, pacer.start(at, { ...PLAIN, ...kind }));
    else if (event === 'wait') expect(pacer.wait(at, false), text).toBeCloseTo(given, 6);
    else if (event === 'wait of a repeat') expect(pacer.wait(at, true), text).toBeCloseTo(given, 6);
    else if (event === 'gap') expect(pacer.gap, text).toBeCloseTo(given, 6);
    else pacer[event](starts.get(given) ?? expect.unreachable(`${given} has not started`), at);
  }
}

/** Starts one request each `apart` ms and answers it after `answerTime`, `count` times. Returns the time after that. */
export function flow(
  pacer: Pacer,
  from: number,
  count: number,
  { apart = 10, answerTime = 5, queued = 0 } = {},
): number {
  for (let index = 0; index < count; index++) {
    const at = from + index * apart;
    pacer.accepted(pacer.start(at, { ...PLAIN, queued }), at + answerTime);
  }
  return from + count * apart;
}

/** `count` requests one after the other, each 10 ms, all of which are refused after `roundTrip` ms. Returns the time after that. */
export function refuse(pacer: Pacer, at: number, count: number, roundTrip = 5): number {
  for (let index = 0; index < count; index++) {
    const start = pacer.start(at + 10 * index, PLAIN);
    pacer.refused(start, at + 10 * index + roundTrip);
  }
  return at + 10 * count;
}
