import { createHash } from 'node:crypto';
import { badRequest, Refusal } from '../refusal.js';
import { BoundedMap } from '../state/bounded-map.js';
import { DAY_MS, type Now } from '../state/clock.js';
import type { HttpAnswer, RequestHead } from './messages.js';

const KEY = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$/;

/** Time for which a key is remembered, by the sandbox's clock. */
const REMEMBERED_MS = DAY_MS;

/** Beyond it the oldest keys are forgotten, so a sandbox that runs for days stays small. */
const MAX_REMEMBERED_KEYS = 20_000;

/** Refusals that a key remembers. After others it is free for the corrected request. */
const FINAL_REFUSALS: readonly number[] = [404, 409, 410];

/** The request of a key, and its answer. */
export interface Remembered {
  readonly fingerprint: string;
  readonly answer: HttpAnswer;
  readonly until: number;
}

/** Answers by idempotency key. All API keys of the partner share them. */
export class IdempotencyMemory {
  readonly #clock: Now;
  #answers = new BoundedMap<string, Remembered>(MAX_REMEMBERED_KEYS);

  constructor(clock: Now) {
    this.#clock = clock;
  }

  save(): [string, Remembered][] {
    return [...this.#answers.entries()].filter(([, { until }]) => this.#clock.now() < until);
  }

  restore(entries: Iterable<readonly [string, Remembered]>): void {
    this.#answers = new BoundedMap(MAX_REMEMBERED_KEYS, entries);
  }

  /** Returns the slot of a keyed request. Throws 400 for a malformed key. */
  slot(key: string, head: RequestHead, body: Uint8Array): IdempotencySlot {
    if (!KEY.test(key)) throw badRequest({ field: 'Idempotency-Key', message: 'must be a UUID of version 4' });
    // UUIDs are the same in either case.
    return new IdempotencySlot(this.#answers, this.#clock, key.toLowerCase(), fingerprintOf(head, body));
  }
}

/** The slot of one key: asked before the effect, filled after it. */
export class IdempotencySlot {
  readonly #answers: BoundedMap<string, Remembered>;
  readonly #clock: Now;
  readonly #name: string;
  readonly #fingerprint: string;

  constructor(answers: BoundedMap<string, Remembered>, clock: Now, name: string, fingerprint: string) {
    this.#answers = answers;
    this.#clock = clock;
    this.#name = name;
    this.#fingerprint = fingerprint;
  }

  /** Returns the request's earlier answer. Throws 409 if another request had the key. */
  recall(): HttpAnswer | undefined {
    const remembered = this.#answers.get(this.#name);
    if (remembered === undefined || remembered.until <= this.#clock.now()) return undefined;
    if (remembered.fingerprint !== this.#fingerprint) {
      const cause = { field: 'Idempotency-Key', message: 'was used for another request' };
      throw new Refusal(409, 'conflict', [cause], 'key_reused');
    }
    return { ...remembered.answer, headers: { ...remembered.answer.headers, 'idempotent-replayed': 'true' } };
  }

  remember(answer: HttpAnswer): void {
    if (answer.status >= 300 && !FINAL_REFUSALS.includes(answer.status)) return;
    const until = this.#clock.now() + REMEMBERED_MS;
    this.#answers.set(this.#name, { fingerprint: this.#fingerprint, answer, until });
  }
}

function fingerprintOf({ method, target }: RequestHead, body: Uint8Array): string {
  return createHash('sha256').update(`${method} ${target}\n`).update(body).digest('base64');
}
