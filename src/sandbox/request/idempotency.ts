import { createHash } from 'node:crypto';
import { BoundedMap } from '../../util/bounded-map.js';
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
  recall(): HttpAnswer | undefined;
  remember(answer: HttpAnswer): void;
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
  slot(given: string, head: RequestHead, body: Uint8Array): IdempotencySlot {
    if (!KEY.test(given)) throw badRequest({ field: 'Idempotency-Key', message: 'must be a UUID of version 4' });
    // UUIDs are the same in either case.
    const key = given.toLowerCase();
    const fingerprint = fingerprintOf(head, body);
    return {
      recall: () => this.#recall(key, fingerprint),
      remember: (answer) => {
        if (answer.status >= 300 && !FINAL_REFUSALS.includes(answer.status)) return;
        this.#answers.set(key, { fingerprint, answer, until: this.#clock.now() + REMEMBERED_MS });
      },
    };
  }

  #recall(key: string, fingerprint: string): HttpAnswer | undefined {
    const remembered = this.#answers.get(key);
    if (remembered === undefined || remembered.until <= this.#clock.now()) return undefined;
    const { answer } = remembered;
    if (remembered.fingerprint === fingerprint) {
      return { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } };
    }
    const cause = { field: 'Idempotency-Key', message: 'was used for another request' };
    throw new Refusal(409, 'conflict', [cause], 'key_reused');
  }
}

function fingerprintOf({ method, target }: RequestHead, body: Uint8Array): string {
  return createHash('sha256').update(`${method} ${target}\n`).update(body).digest('base64');
}
