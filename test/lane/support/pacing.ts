import { expect } from 'vitest';
import { Pacer, type PacerOptions, type Start, type Starting } from '../../../src/lane/pacing/pacer.js';

/** As the lane gives them for each way. */
export const POOL: PacerOptions = { startGap: 1, firstUseHold: 0, refusals: 0.01 };
export const HTTP2: PacerOptions = { startGap: 0.1, bodyGap: 1, firstUseHold: 0, refusals: 0.01 };
export const FETCH: PacerOptions = { startGap: 1, firstUseHold: 10, refusals: 0.01 };

export const PLAIN: Starting = { withBody: false, firstUse: false, retry: false, queued: 0 };
export const FIRST_USE = { firstUse: true };
export const REPEAT = { retry: true };
export const BODY = { withBody: true };

/** What happens at one moment, in ms, in this order; `gap` and the waits are what is expected then. */
export interface Moment {
  readonly at: number;
  /** The name of the request that ends. */
  readonly accepted?: string;
  readonly refused?: string;
  readonly lost?: string;
  readonly gap?: number;
  /** The name of the request that starts, with its kind if it is not a plain one. */
  readonly start?: string | readonly [name: string, kind: Partial<Starting>];
  readonly wait?: number;
  readonly repeatWait?: number;
}

export function play(options: PacerOptions, moments: readonly Moment[]): void {
  const pacer = new Pacer(options);
  const starts = new Map<string, Start>();
  for (const { at, gap, start, wait, repeatWait, ...ends } of moments) {
    for (const [end, name] of Object.entries(ends)) {
      pacer[end as keyof typeof ends](starts.get(name) ?? expect.unreachable(`${name} has not started`), at);
    }
    if (gap !== undefined) expect(pacer.gap, `gap at ${at} ms`).toBeCloseTo(gap, 6);
    const [name, kind] = typeof start === 'string' ? [start, {}] : (start ?? []);
    if (name !== undefined) starts.set(name, pacer.start(at, { ...PLAIN, ...kind }));
    if (wait !== undefined) expect(pacer.wait(at, false), `wait at ${at} ms`).toBeCloseTo(wait, 6);
    if (repeatWait !== undefined)
      expect(pacer.wait(at, true), `wait of a repeat at ${at} ms`).toBeCloseTo(repeatWait, 6);
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
