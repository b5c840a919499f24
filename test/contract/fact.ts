import type { PartnerClient } from '../../src/index.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import type { Ids } from './ids.js';
import type { Members, Rule } from './rules.js';
import type { SmallService } from './service.js';

/**
 * Where a fact comes from: the API description (`specified`), the service's public reference of
 * today (`current`) or of an older edition (`old`), its developer guides (`guide`), a library of
 * somebody else (`third party`). What follows from several of these, but stands in none, is
 * `inferred`.
 */
export type Source = 'specified' | 'current' | 'guide' | 'old' | 'third party' | 'inferred';

/** The client of this package, and the small service that it calls. */
export interface ClientStage {
  readonly client: PartnerClient;
  readonly service: SmallService;
}

/** A sandbox of this package, asked with signatures that this folder writes. */
export interface SandboxStage {
  readonly sandbox: Sandbox;
  readonly ids: Ids;
  readonly send: Send;
  /** Receives the sandbox's webhooks, at any URL. */
  readonly receiver: Receiver;
}

export interface Receiver {
  /** What it answers. */
  status: number;
  readonly deliveries: { readonly headers: Headers; readonly body: string }[];
}

export interface Sent {
  /** Path and query. */
  readonly target: string;
  readonly method?: string;
  readonly body?: unknown;
  /** Headers beside those of the authentication, or in their place. `undefined` leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly nonce?: bigint;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** `text` as JSON; undefined if it is empty. */
  readonly json: unknown;
}

export type Send = (sent: Sent) => Promise<Reply>;

/** One fact, and how it is checked. A fact without a check says why in `unchecked`. */
export interface Fact {
  readonly fact: string;
  readonly source: Source;
  /** Run against the small service, by the client. */
  readonly client?: (stage: ClientStage) => unknown;
  /** Run against a sandbox, mostly by bare HTTP. */
  readonly sandbox?: (stage: SandboxStage) => unknown;
  /** What docs/reference/protocol.md must have for authors in other languages. Line breaks are blanks. */
  readonly document?: readonly (string | RegExp)[];
  readonly unchecked?: string;
}

/** What one call is given. */
export interface Given {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One operation: what the small service takes and answers, and one call of it. */
export interface OperationFact<G extends Given = Given> {
  /** The method of the client. */
  readonly name: string;
  readonly fact: string;
  readonly source: Source;
  readonly route: `${Method} /v1/${string}`;
  /** It takes an `Idempotency-Key`. */
  readonly key?: true;
  /** It requires an `API-Otp`. */
  readonly otp?: true;
  /** The parameters that it takes. Default: none. */
  readonly query?: Members;
  /** The body that it takes. Default: none, not a single byte. */
  readonly body?: Rule;
  readonly given: (ids: Ids) => G;
  call(client: PartnerClient, given: G): PromiseLike<unknown>;
  /** The body of the response, as JSON; `undefined` is an empty one. */
  readonly answer: unknown;
  /** What the client returns. Default: the `data` of the answer, for a list the items. */
  readonly gives?: unknown;
  /** Members of the answer that the facts call optional: those that the sandbox may leave out. */
  readonly optional?: readonly string[];
}

/** Checks a row's types, and forgets what exactly its call is given. */
export const operation = <const G extends Given>(row: OperationFact<G>): OperationFact => row;
