import { type ClientOptions, NotFoundError, PartnerClient, PartnerError } from 'partner-sdk';

// It runs in every runtime, and so uses nothing of Node.

/**
 * What happens to the first request of a call:
 *
 * - `none`: nothing.
 * - `broken`: it has its effect, then its connection breaks.
 * - `refused`: it has its effect, then the service answers 503.
 * - `dropped`: its connection breaks, and it has no effect.
 */
export type Fault = 'none' | 'broken' | 'refused' | 'dropped';

/** What the service recorded. */
export interface Entries {
  /** Number of effects of each call, by its tag. */
  readonly effects: Readonly<Record<string, number>>;
  /** Requests that arrived again with a nonce that had been accepted, by method. */
  readonly copies: Readonly<Record<string, number>>;
}

const BODY = { text: 'thing' };
const KINDS = {
  read: { method: 'GET' },
  keyed: { method: 'POST', body: BODY, idempotent: true },
  unkeyed: { method: 'POST', body: BODY },
  replacing: { method: 'PUT', body: BODY },
  deleting: { method: 'DELETE' },
} as const;

type Kind = keyof typeof KINDS;
const NAMES = Object.keys(KINDS) as Kind[];
/** Their number has no divisor in common with that of the kinds, so that every fault meets every kind. */
const FAULTS: readonly Fault[] = ['none', 'broken', 'none', 'dropped', 'none', 'refused'];
export const ROUND = NAMES.length * FAULTS.length;

interface End {
  readonly kind: Kind;
  readonly fault: Fault;
  readonly tag: string;
  /** Undefined: the call resolved. */
  readonly error: unknown;
}

export interface Assignment {
  /** Where the client sends to: the service, or a proxy before it. */
  readonly baseUrl: string;
  /** The service itself, which shows its entries. */
  readonly ledger: string;
  readonly options?: ClientOptions;
  /** Calls in flight at once. */
  readonly parallel: number;
  /** Each round has `ROUND` calls. */
  readonly rounds: number;
}

export interface Findings {
  /** How calls contradicted the service's entries, and how many did. */
  readonly wrong: Readonly<Record<string, number>>;
  readonly copies: Entries['copies'];
}

/** Makes the calls of a new API key that the service accepts, and compares how they end with what the service recorded. */
export async function judge({ baseUrl, ledger, options, parallel, rounds }: Assignment): Promise<Findings> {
  const run = crypto.randomUUID();
  const silent = { warn() {}, error() {} };
  const client = new PartnerClient({ baseUrl, apiKey: run, apiSecret: 'c2VjcmV0', logger: silent, ...options });
  const ends: End[] = [];
  const call = async (kind: Kind, fault: Fault, index: number) => {
    const tag = `${run}-${index}`;
    const request = client.request({ ...KINDS[kind], path: `/v1/${fault}/${tag}`, params: {} });
    const error = await request.then(
      () => undefined,
      (failure: unknown) => failure,
    );
    ends.push({ kind, fault, tag, error });
  };
  await call('read', 'none', -1);
  let next = 0;
  const caller = async () => {
    for (let index = next++; index < rounds * ROUND; index = next++) {
      await call(NAMES[index % NAMES.length] as Kind, FAULTS[index % FAULTS.length] as Fault, index);
    }
  };
  await Promise.all(Array.from({ length: parallel }, caller));
  await client.close();
  const { effects, copies } = (await (await fetch(`${ledger}/entries`)).json()) as Entries;
  const wrong: Record<string, number> = {};
  for (const end of ends) {
    for (const fault of faultsOf(end, effects[end.tag] ?? 0)) wrong[fault] = (wrong[fault] ?? 0) + 1;
  }
  return { wrong, copies };
}

function faultsOf({ kind, fault, error }: End, effects: number): string[] {
  const { name, outcome } = error instanceof PartnerError ? error : { name: String(error), outcome: undefined };
  const mustSucceed = fault === 'none' || kind === 'read' || kind === 'keyed';
  const deletedBefore = error instanceof NotFoundError && outcome === 'unknown';
  const checks: [boolean, string][] = [
    [effects > 1, `${effects} effects`],
    [error === undefined && kind !== 'read' && effects === 0, 'no effect'],
    [outcome === 'applied' && effects === 0, 'no effect'],
    [outcome === 'not_applied' && effects > 0, 'an effect'],
    [error !== undefined && (mustSucceed || outcome === undefined), 'should succeed'],
    [error !== undefined && kind === 'deleting' && !deletedBefore, 'should succeed or find nothing, unknown'],
  ];
  const end = error === undefined ? 'resolved' : `${name}, ${outcome}`;
  return checks.filter(([holds]) => holds).map(([, what]) => `${kind}, ${fault}: ${what}, ${end}`);
}

/** Calls the service without a proxy, so that only the runtime can send a request again. Returns the methods of those that it did. */
export async function judgeRuntime(ledger: string, options: ClientOptions = {}): Promise<string> {
  let resent: string[] = [];
  for (const { parallel, rounds } of [
    { parallel: 1, rounds: 2 },
    { parallel: 16, rounds: 10 },
  ]) {
    const { wrong, copies } = await judge({ baseUrl: ledger, ledger, options, parallel, rounds });
    if (Object.keys(wrong).length > 0)
      throw new Error(`${parallel} in parallel: ${JSON.stringify(wrong, undefined, 2)}`);
    resent = Object.keys(copies).sort();
  }
  return resent.join(', ') || 'nothing';
}
