import type { RedisKeyLeasesOptions } from 'partner-sdk/redis';

/** What a worker is asked to make its client of. */
export interface Setup {
  readonly type: 'setup';
  /** Shows on the wire which process sent a request. */
  readonly name: string;
  readonly baseUrl: string;
  readonly redisPort: number;
  readonly library: 'redis' | 'ioredis';
  readonly options: RedisKeyLeasesOptions;
  readonly credentials: { apiKey: string; apiSecret: string }[];
  /** Signs only when told to: the nonce is drawn by then. */
  readonly asksBeforeSigning?: boolean;
}

export type Order =
  | Setup
  /** Makes so many calls, so many at a time: reads and writes in turn. */
  | { readonly type: 'calls'; readonly count: number; readonly parallel: number }
  | { readonly type: 'sign' }
  | { readonly type: 'close' };

/** A call that failed. */
export interface Failure {
  readonly name: string;
  readonly outcome: string;
  readonly message: string;
}

export interface Calls {
  readonly type: 'calls';
  readonly failures: Failure[];
  /** The names of what was written, as far as the calls succeeded. */
  readonly written: string[];
}

export type Message =
  | { readonly type: 'ready' | 'setup' | 'signing' | 'closed' }
  | Calls
  /** Anything that must not happen: an unhandled rejection, above all. */
  | { readonly type: 'incident'; readonly text: string };
