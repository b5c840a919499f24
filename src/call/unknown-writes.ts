import type { Outcome } from '../errors.js';
import type { PreparedCall } from '../request/prepare.js';
import { utf8Text } from '../runtime/bytes.js';
import { BoundedMap } from '../util/bounded-map.js';
import { emitWarning } from '../util/run-safely.js';

/** More are forgotten, the oldest first, because a program that retries does so soon. */
const MAX_WRITES = 100;

/** Larger bodies are not stored. Writes that move money are far smaller. */
const MAX_BODY_BYTES = 10_000;

/** The writes whose outcome is unknown. Warns of a new write that looks like the retry of one. */
export class UnknownWrites {
  /** The contents of each write, by its idempotency key. */
  readonly #contents = new BoundedMap<string, string>(MAX_WRITES);
  readonly #reported = new Set<string>();

  /** Notes how a call has ended. */
  ended(call: PreparedCall, outcome: Outcome): void {
    const { idempotencyKey, body } = call;
    if (idempotencyKey === undefined || outcome === 'not_applied') return;
    if (outcome === 'applied') this.#contents.delete(idempotencyKey);
    else if ((body?.length ?? 0) <= MAX_BODY_BYTES) this.#contents.set(idempotencyKey, contentsOf(call));
  }

  /** Warns once for each operation. Called before the client generates an idempotency key. */
  warnOfRepeat(call: PreparedCall): void {
    const { name } = call.operation;
    if (this.#contents.size === 0 || call.idempotencyKey !== undefined || this.#reported.has(name)) return;
    if (![...this.#contents.values()].includes(contentsOf(call))) return;
    this.#reported.add(name);
    emitWarning(`partner-sdk: ${name} ${REPEATED}`, 'PARTNER_SDK_RETRY');
  }
}

const contentsOf = ({ operation, path, body }: PreparedCall): string =>
  `${operation.name} ${path} ${body === undefined ? '' : utf8Text(body)}`;

const REPEATED =
  'is called again with a new idempotency key while the outcome of an equal call is unknown, so it may happen twice: to retry, pass the idempotencyKey of the error, or use client.settle()';
