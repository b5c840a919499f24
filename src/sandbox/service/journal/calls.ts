import { createHash } from 'node:crypto';
import { BoundedMap } from '../../../util/bounded-map.js';
import type { ConnectionAction, ReceivedBody, RequestHead } from '../../core/request/messages.js';
import type { IdempotencyScope } from '../idempotency/idempotency.js';

/** Milliseconds for which a failure is kept, and maximum number of failures and of keys kept. */
const KEPT_MS = 30_000;
const MAX_KEPT = 4_000;

/** A processed request. Its times are those of `performance.now()`. */
interface EndedRequest {
  readonly seq: number;
  readonly head: RequestHead;
  readonly body: ReceivedBody;
  readonly action: ConnectionAction;
  readonly verdict: string;
  readonly arrived: number;
  readonly ended: number;
}

/** A failure that no request has continued. Without an id, more than one call may go on from it. */
type Failure = Pick<EndedRequest, 'ended'> & { readonly callId: string | undefined };

/** Finds the call that a request belongs to. In doubt, a request is a call of its own. */
export class Calls {
  readonly #keyed = new BoundedMap<string, string>(MAX_KEPT);
  readonly #failures = new BoundedMap<string, Failure>(MAX_KEPT, [], (one) => isOver(one, performance.now()));

  constructor(readonly scope: IdempotencyScope = 'partner') {}

  idOf(request: EndedRequest): string {
    const { head, seq } = request;
    const key = head.header('idempotency-key')?.slice(0, 256).toLowerCase();
    if (key === undefined) return this.#continuedBy(request, `call_${seq}`) ?? `call_${seq}`;
    const id = this.scope === 'partner' ? key : `${key} ${head.header('api-key')?.slice(0, 256)}`;
    const callId = this.#keyed.get(id) ?? `call_${seq}`;
    this.#keyed.set(id, callId);
    return callId;
  }

  /** Hashes bodies only after a failure: a plain request costs nothing. */
  #continuedBy({ head, body, action, verdict, arrived, ended }: EndedRequest, own: string): string | undefined {
    const hasFailed = isFailure(action, verdict);
    if (!hasFailed && isOver(this.#failures.newest(), arrived)) return own;
    if (head.header('api-key') === undefined || head.isOwn === true || body.kind !== 'complete') return own;
    const line = `${head.header('api-key')}\n${head.method} ${head.target}\n`;
    const print = createHash('sha256').update(line).update(body.bytes).digest('base64');
    const kept = this.#failures.get(print);
    // A request that arrived before the end of the failed one was sent beside it, not after it.
    const callId = isOver(kept, arrived) ? own : kept && kept.ended <= arrived ? kept.callId : undefined;
    this.#failures.delete(print);
    if (hasFailed) this.#failures.set(print, { ended, callId });
    return callId;
  }
}

/** True if a client sends it again: it lost a race of nonces, or got 429, 5xx or no response. */
function isFailure(action: ConnectionAction, verdict: string): boolean {
  if (!('answer' in action) || action.kind === 'cut' || verdict === 'nonce_not_rising') return true;
  return action.answer.status === 429 || action.answer.status >= 500;
}

const isOver = (one: Failure | undefined, now: number): boolean => one === undefined || now - one.ended > KEPT_MS;
