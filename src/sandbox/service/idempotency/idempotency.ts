import { createHash } from 'node:crypto';
import { BoundedMap } from '../../../util/bounded-map.js';
import { isRecord } from '../../../util/options.js';
import { clipped } from '../../../util/printable.js';
import type { Changes } from '../../core/basics/changes.js';
import { parsedJson } from '../../core/basics/json-forms.js';
import { whenKnown } from '../../core/basics/queue.js';
import { DAY_MS, type Now } from '../../core/clock/clock.js';
import type { HttpAnswer, RequestHead } from '../../core/request/messages.js';
import { badRequest, Refusal } from '../../core/request/refusal.js';

const KEY = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$/;

const UUID_LENGTH = 36;

const REMEMBERED_MS = DAY_MS;

/** Maximum number of keys kept; the oldest are dropped first. */
const MAX_REMEMBERED_KEYS = 20_000;

/** Maximum number and size of the bodies that are kept, to show how another request differs. */
const MAX_KEPT_BODIES = 2_000;
const MAX_KEPT_BODY_BYTES = 4 * 1024;

/** Maximum length of a path in characters; a longer one is cut. */
const MAX_PATH_LENGTH = 2_048;

/** The first request under a key. */
export interface KeyedRequest {
  /** Name of the operation. */
  readonly operation: string;
  /** Id of the account in the path. */
  readonly account?: string | undefined;
  readonly method: string;
  /** Path and query, their first 2,048 characters. */
  readonly path: string;
  /** Time by the sandbox's clock: milliseconds since the epoch. */
  readonly at: number;
}

/** Facts about the first request that are kept for this run only. */
interface First {
  readonly seq: number | undefined;
  /** Undefined if it is too large. */
  readonly body: Uint8Array | undefined;
}

/** Who shares the idempotency keys: all API keys of the partner, or each API key has its own. */
export type IdempotencyScope = 'partner' | 'apiKey';

/** An idempotency key that the sandbox remembers, with its first request. */
export interface SandboxIdempotencyKey {
  /**
   * The UUID in lower case. If each API key has its own idempotency keys and several used this one,
   * it is listed once, with the request of the first API key.
   */
  readonly key: string;
  /** The first request under the key. */
  readonly request: KeyedRequest;
  /** Status of the response that is replayed. */
  readonly status: number;
  /** Milliseconds since the first request, by the sandbox's clock. */
  readonly age: number;
  /** Time at which the key is dropped: milliseconds since the epoch, by the sandbox's clock. */
  readonly expiresAt: number;
  /** `seq` of the first request in the journal. Undefined if it was sent before this run. */
  readonly first: number | undefined;
}

export interface Keyed {
  readonly key: string;
  readonly head: RequestHead;
  readonly body: Uint8Array;
  readonly operation: string;
  readonly account: string | undefined;
  /** Position in the journal. */
  readonly seq: number | undefined;
}

/** A keyed request with its id and the data by which it is compared. */
interface ComparedRequest extends Keyed {
  readonly id: string;
  readonly fingerprint: string;
}

export interface Remembered {
  readonly fingerprint: string;
  readonly answer: HttpAnswer;
  readonly until: number;
  readonly request: KeyedRequest;
}

interface MemoryOptions {
  /** True: the 409 for a reused key contains the difference. Default false. */
  readonly explain?: boolean | undefined;
  /** Default `partner`. */
  readonly scope?: IdempotencyScope | undefined;
}

/** Answers by the key in lower case, with the API key behind it if each API key has its own. */
export class IdempotencyMemory {
  readonly #clock: Now;
  readonly #changes: Changes;
  readonly #explain: boolean;
  readonly #scope: IdempotencyScope;
  #answers = new BoundedMap<string, Remembered>(MAX_REMEMBERED_KEYS);
  #firsts = new BoundedMap<string, First>(MAX_KEPT_BODIES);
  /** Requests that are being processed, so their response is not known yet. */
  readonly #underWay = new Map<string, { readonly fingerprint: string; readonly answer: Promise<HttpAnswer> }>();

  constructor(clock: Now, changes: Changes, { explain = false, scope = 'partner' }: MemoryOptions = {}) {
    this.#clock = clock;
    this.#changes = changes;
    this.#explain = explain;
    this.#scope = scope;
  }

  save(): [string, Remembered][] {
    return [...this.#answers.entries()].filter(([, { until }]) => this.#clock.now() < until);
  }

  restore(entries: Iterable<readonly [string, Remembered]>): void {
    this.#answers = new BoundedMap(MAX_REMEMBERED_KEYS, entries);
    this.#firsts = new BoundedMap(MAX_KEPT_BODIES);
  }

  /** Returns the keys that would be replayed now, oldest first. */
  list(): SandboxIdempotencyKey[] {
    const now = this.#clock.now();
    const listed = new Map<string, SandboxIdempotencyKey>();
    for (const [id, { answer, until, request }] of this.save()) {
      const key = keyOf(id);
      if (listed.has(key)) continue;
      const first = this.#firsts.get(id)?.seq;
      const { status } = answer;
      listed.set(key, { key, request: { ...request }, status, age: now - request.at, expiresAt: until, first });
    }
    return [...listed.values()];
  }

  /** Forgets a key, whichever API keys used it. Returns false if it is unknown. */
  forget(given: string): boolean {
    const key = given.toLowerCase();
    const ids = this.save().flatMap(([id]) => (keyOf(id) === key ? [id] : []));
    for (const id of ids) {
      this.#answers.delete(id);
      this.#firsts.delete(id);
    }
    if (ids.length > 0) this.#changes.announce('idempotency');
    return ids.length > 0;
  }

  /** Returns access to a request's key. Throws 400 for a malformed key. */
  slot(keyed: Keyed) {
    if (!KEY.test(keyed.key)) throw badRequest({ field: 'Idempotency-Key', message: 'must be a UUID of version 4' });
    const print = { ...keyed, id: this.#idOf(keyed), fingerprint: fingerprintOf(keyed.head, keyed.body) };
    return {
      /** Returns the earlier response. Throws 409 if another request had the idempotency key. */
      recall: () => this.#recall(print),
      remember: (answer: HttpAnswer | Promise<HttpAnswer>): void => {
        if (answer instanceof Promise) this.#await(print, answer);
        else this.#remember(print, answer);
      },
    };
  }

  #idOf({ key, head }: Keyed): string {
    // UUIDs are not case-sensitive.
    const id = key.toLowerCase();
    return this.#scope === 'partner' ? id : `${id} ${head.header('api-key')}`;
  }

  #remember({ id, fingerprint, head, body, operation, account, seq }: ComparedRequest, answer: HttpAnswer): void {
    // A rejection has no effect, and its cause may go: the same request can then succeed.
    if (answer.status >= 300) return;
    const at = this.#clock.now();
    const request = { operation, account, method: head.method, path: clipped(head.target, MAX_PATH_LENGTH), at };
    this.#answers.set(id, { fingerprint, answer, until: at + REMEMBERED_MS, request });
    // A copy, since the bytes may be a part of a larger buffer.
    this.#firsts.set(id, { seq, body: body.length > MAX_KEPT_BODY_BYTES ? undefined : new Uint8Array(body) });
  }

  /** An equal request that arrives meanwhile gets the response of the first one. */
  #await(print: ComparedRequest, answer: Promise<HttpAnswer>): void {
    const { id, fingerprint } = print;
    this.#underWay.set(id, { fingerprint, answer });
    const end = (): void => {
      this.#underWay.delete(id);
    };
    answer.then((known) => this.#remember(print, known)).then(end, end);
  }

  #recall(print: ComparedRequest): HttpAnswer | Promise<HttpAnswer> | undefined {
    const remembered = this.#underWay.get(print.id) ?? this.#kept(print.id);
    if (remembered === undefined) return undefined;
    if (remembered.fingerprint === print.fingerprint) return whenKnown(remembered.answer, replayed);
    throw this.#reused(print);
  }

  #reused({ id, head, body }: ComparedRequest): Refusal {
    const request = this.#kept(id)?.request;
    const first = this.#firsts.get(id);
    const now = { method: head.method, path: clipped(head.target, MAX_PATH_LENGTH), body };
    const differs = request === undefined ? [] : differencesOf({ ...request, body: first?.body }, now);
    const likely =
      differs.length === 0 ? undefined : `another request had the key: it differs in ${differs.join(', ')}`;
    const message = 'was used for another request';
    const explained =
      this.#explain && differs.length > 0 ? `${message}, which differs in ${differs.join(', ')}` : message;
    const details = { likely, conflict: request === undefined ? undefined : { first: first?.seq, differs } };
    return new Refusal(409, 'conflict', [{ field: 'Idempotency-Key', message: explained }], 'key_reused', details);
  }

  #kept(id: string): Remembered | undefined {
    const kept = this.#answers.get(id);
    return kept !== undefined && this.#clock.now() < kept.until ? kept : undefined;
  }
}

const keyOf = (id: string): string => id.slice(0, UUID_LENGTH);

function replayed(answer: HttpAnswer): HttpAnswer {
  return { ...answer, headers: { ...answer.headers, 'idempotent-replayed': 'true' } };
}

function fingerprintOf({ method, target }: RequestHead, body: Uint8Array): string {
  return createHash('sha256').update(`${method} ${target}\n`).update(body).digest('base64');
}

/** The parts of a request that are compared. */
interface Compared {
  readonly method: string;
  readonly path: string;
  /** Undefined: the body is not kept. */
  readonly body: Uint8Array | undefined;
}

const MAX_MEMBERS = 20;

/** Maximum length of a member's name in characters; members with a longer one are left out. */
const MAX_NAME_LENGTH = 100;

/** Maximum depth of members; deeper ones are compared as a whole. */
const MAX_DEPTH = 8;

/** Returns the names of the parts in which two requests with one key differ, at least one. */
function differencesOf(first: Compared, now: Compared): string[] {
  const differs: string[] = [];
  if (first.method !== now.method) differs.push('method');
  if (first.path !== now.path) differs.push('path');
  if (first.body === undefined || now.body === undefined) return differs.length > 0 ? differs : ['body'];
  const [before, after] = [Buffer.from(first.body), Buffer.from(now.body)];
  if (before.equals(after)) return differs.length > 0 ? differs : ['path'];
  const members: string[] = [];
  compare(parsedJson(before.toString()), parsedJson(after.toString()), 'body', members, 0);
  return [...differs, ...(members.length > 0 ? members : ['body'])];
}

function compare(before: unknown, after: unknown, name: string, found: string[], depth: number): void {
  if (found.length >= MAX_MEMBERS) return;
  if (isRecord(before) && isRecord(after) && depth < MAX_DEPTH) {
    for (const member of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const place = `${name}.${member.slice(0, MAX_NAME_LENGTH)}`;
      compare(own(before, member), own(after, member), place, found, depth + 1);
    }
  } else if (canonical(before) !== canonical(after)) found.push(name);
}

const own = (value: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined;

/** Returns a text that is equal for equal values. */
function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_, member: unknown) =>
    isRecord(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}
