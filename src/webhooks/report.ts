import { isMisspelling } from '../util/did-you-mean.js';
import { clipped, printable } from '../util/printable.js';
import { framesOf, runSafely } from '../util/run-safely.js';
import type { WebhookEvent } from './event.js';
import type { WebhookHandlerHooks, WebhookRejection } from './handler-options.js';

/** A reason is reported once in this time: anyone can send requests that are rejected. */
const PERIOD_MS = 60_000;

/** More failures of a kind in that time are only counted: senders deliver again and again. */
const MAX_FAILURES = 10;

/** The message of an error is cut off at this length. */
const MAX_MESSAGE_LENGTH = 1_000;

/** The kind and the id of an event are cut off at this length. */
const MAX_ID_LENGTH = 100;

/** Deeper causes of an error are not shown. */
const MAX_CAUSES = 3;

const ADVICE: { readonly [Reason in WebhookRejection['reason']]: string } = {
  missing_header: 'If the service sent it, check whether a proxy or load balancer removes headers',
  bad_format: 'If the service sent it, check the option scheme',
  bad_signature:
    'Check the secret: it is the signing_secret that was shown when this webhook was registered. Nothing before the handler may change the body',
  too_old: 'Check the clock of this machine. It may also be an old delivery that somebody sent again',
  too_new: 'Check the clock of this machine',
  incomplete: 'If the service sent it, it will deliver it again',
  method_not_allowed: 'If the service sent it, check whether a proxy or load balancer changes the method',
  too_slow: 'If the service sent it, raise bodyTimeout',
  too_large: 'If the service sent it, raise maxBodyBytes',
};

/** Reports rejections and failures to the program's functions, by default to `console.error`. */
export class Reporter {
  readonly #hooks: WebhookHandlerHooks;
  readonly #rejections = new Throttle(1);
  readonly #failures = new Throttle(MAX_FAILURES);

  constructor(hooks: WebhookHandlerHooks) {
    this.#hooks = hooks;
  }

  rejected(rejection: WebhookRejection): void {
    const { onRejected } = this.#hooks;
    const { status, reason, message } = rejection;
    const text = () =>
      `a request was rejected with ${status} ${reason}: ${message}. ${ADVICE[reason]}. (Shown once a minute for each reason; onRejected gets all.)`;
    if (onRejected !== undefined) runSafely(() => onRejected(rejection), 'the function onRejected', this);
    else this.#rejections.write(reason, text);
  }

  /** Reports an event that no function handles, if `on` has its kind with another spelling. */
  unhandled(event: WebhookEvent, handled: Iterable<string>): void {
    const misspelt = [...handled].find((kind) => isMisspelling(kind, event.type));
    if (misspelt === undefined) return;
    const text = () => `no function handles an event${nameOf(event)}: is its kind misspelt in on, as ${misspelt}?`;
    this.#failures.write(misspelt, text);
  }

  /** @param result What the failure, which `what` names in a few words, leads to. */
  failed(what: string, error: unknown, event?: WebhookEvent, result = 'the response was 500'): void {
    const { onError } = this.#hooks;
    if (onError !== undefined) runSafely(() => onError(error, event), 'the function onError', this);
    else this.#failures.write(what, () => `${what}, so ${result}${nameOf(event)}. ${shown(error)}`);
  }
}

/** Writes a limited number of lines a minute of each kind, and counts the others. */
class Throttle {
  readonly #max: number;
  readonly #kinds = new Map<string, { since: number; written: number; omitted: number }>();

  constructor(max: number) {
    this.#max = max;
  }

  write(kind: string, text: () => string): void {
    const now = performance.now();
    let state = this.#kinds.get(kind);
    if (state === undefined || now - state.since >= PERIOD_MS) {
      state = { since: now, written: 0, omitted: state?.omitted ?? 0 };
      this.#kinds.set(kind, state);
    }
    if (state.written === this.#max) {
      state.omitted++;
      return;
    }
    const more = state.omitted === 0 ? '' : `${state.omitted} more of this kind were left out. `;
    state.written++;
    state.omitted = 0;
    runSafely(() => console.error(`partner-sdk/webhooks: ${more}${text()}`), 'console.error', this);
  }
}

function nameOf(event: WebhookEvent | undefined): string {
  if (event === undefined) return '';
  const { type, deliveryId } = event;
  const name = [type, deliveryId].map((part) => clipped(printable(part), MAX_ID_LENGTH));
  return ` (event ${name.join(' ')})`;
}

/** Returns an error with its stack and causes as a string, without control characters. */
function shown(error: unknown): string {
  try {
    const levels = [shownAlone(error)];
    let cause: unknown = Object(error).cause;
    for (; cause !== undefined && levels.length <= MAX_CAUSES; cause = Object(cause).cause)
      levels.push(shownAlone(cause));
    return levels.join('\n  caused by ');
  } catch {
    return 'What was thrown cannot be shown.';
  }
}

/** Works with errors of other realms, as test runners need it. */
function shownAlone(error: unknown): string {
  const { name, message } = Object(error);
  const head = typeof message === 'string' ? `${name}: ${message}` : String(error);
  return [clipped(printable(head), MAX_MESSAGE_LENGTH), ...framesOf(error)].join('\n');
}
