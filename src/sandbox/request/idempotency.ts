import { createHash } from 'node:crypto';
import { BoundedMap } from '../../util/bounded-map.js';
import { whenKnown } from '../queue.js';
import { badRequest, Refusal } from '../refusal.js';
import { DAY_MS, type Now } from '../state/clock.js';
import type { HttpAnswer, RequestHead } from './messages.js';

const KEY = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$/;

const REMEMBERED_MS = DAY_MS;

/** Beyond it the oldest keys are forgotten, so a sandbox that runs for days stays small. */
const MAX_REMEMBERED_KEYS = 20_000;

/** Refusals that a key remembers. After others it is free for the corrected request. */
const FINAL_REFUSALS: readonly number[] = [404, 409, 410];

export interface Remembered {
  readonly fingerprint: string;
  readonly answer: HttpAnswer;
  readonly until: number;
}

/** The slot of one key: asked before the effect, filled after it. */
interface IdempotencySlot {
  /** Returns the request's earlier answer. Throws 409 if another request had the key. */
  recall(): HttpAnswer | Promise<HttpAnswer> | undefined;
  remember(answer: HttpAnswer | Promise<HttpAnswer>): void;
}

/** Answers by idempotency key. All API keys of the partner share them. */
export class IdempotencyMemory {
  readonly #clock: Now;
  #answers = new BoundedMap<string, Remembered>(MAX_REMEMBERED_KEYS);
  /** Requests whose effect has begun, and whose answer is not known yet. */
  readonly #underWay = new Map<string, { readonly fingerprint: string; readonly answer: Promise<HttpAnswer> }>();

  constructor(clock: Now) {
    this.#clock = clock;
  }

  save(): [string, Remembered][] {
    return [...this.#answers.entries()].filter(([, { until }]) => this.#clock.now() < until);
  }

  restore(entries: Iterable<readonly [string, Remembered]>): void {
    this.#answers = new BoundedMap(MAX_REMEMBERED_KEYS, entries);
    this.#underWay.clear();
  }

  /** Returns the slot of a keyed request. Throws 400 for a malformed key. */
  slot(given: string, head: RequestHead, body: Uint8Array): IdempotencySlot {
    if (!KEY.test(given)) throw badRequest({ field: 'Idempotency-Key', message: 'must be a UUID of version 4' });
    // UUIDs are the same in either case.
    const key = given.toLowerCase();
    const fingerprint = fingerprintOf(head, body);
    return {
      recall: () => this.#recall(key, fingerprint),
      remember: (answer) => {
        if (answer instanceof Promise) this.#await(key, fingerprint, answer);
        else this.#remember(key, fingerprint, answer);
      },
    };
  }

  #remember(key: string, fingerprint: string, answer: HttpAnswer): void {
    if (answer.status >= 300 && !FINAL_REFUSALS.includes(answer.status)) return;
    this.#answers.set(key, { fingerprint, answer, until: this.#clock.now() + REMEMBERED_MS });
  }

  /** The same request under the key gets the answer of the first when that is known. */
  #await(key: string, fingerprint: string, answer: Promise<HttpAnswer>): void {
    const begun = { fingerprint, answer };
    this.#underWay.set(key, begun);
    const end = (known?: HttpAnswer): void => {
      // Another state may have been put in place meanwhile.
      if (this.#underWay.get(key) !== begun) return;
      this.#underWay.delete(key);
      if (known !== undefined) this.#remember(key, fingerprint, known);
    };
    answer.then(end, () => end());
  }

  #recall(key: string, fingerprint: string): HttpAnswer | Promise<HttpAnswer> | undefined {
    const remembered = this.#underWay.get(key) ?? this.#kept(key);
    if (remembered === undefined) return undefined;
    if (remembered.fingerprint === fingerprint) return whenKnown(remembered.answer, replayed);
    const cause = { field: 'Idempotency-Key', message: 'was used for another request' };
    throw new Refusal(409, 'conflict', [cause], 'key_reused');
  }

  #kept(key: string): Remembered | undefined {
    const kept = this.#answers.get(key);
    return kept !== undefined && this.#clock.now() < kept.until ? kept : undefined;
  }
}

function replayed(answer: HttpAnswer): HttpAnswer {
  return { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } };
}

function fingerprintOf({ method, target }: RequestHead, body: Uint8Array): string {
  return createHash('sha256').update(`${method} ${target}\n`).update(body).digest('base64');
}
