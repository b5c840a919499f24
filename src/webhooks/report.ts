import { clipped, printable } from '../util/printable.js';
import { framesOf, runSafely } from '../util/run-safely.js';
import type { WebhookHandlerHooks, WebhookRejection } from './handler-options.js';
import type { WebhookEvent } from './kinds.js';

/** Anyone can have requests turned away, so each reason is told once in this time, in ms. */
const PERIOD_MS = 60_000;

/** Failures of the same kind that are told in that time: somebody may send one delivery again and again. */
const MAX_FAILURES = 10;

/** Characters of an error's message that are shown, and of an event's id. */
const MAX_MESSAGE = 1_000;
const MAX_ID = 100;

/** Causes of an error that are shown: each may have one. */
const MAX_CAUSES = 3;

const ADVICE: { readonly [Reason in WebhookRejection['reason']]: string } = {
  missing_header: 'If the service has sent it, something on the way takes headers away',
  bad_format: 'If the service has sent it, check the option scheme',
  bad_signature:
    'Check the secret: it is the signing_secret that was shown when this webhook was registered. Nothing before the handler may change the body',
  too_old: 'Check the clock of this machine. It may also be an old delivery that somebody sends again',
  too_new: 'Check the clock of this machine',
  incomplete: 'If the service has sent it, it delivers again',
  method_not_allowed: 'If the service has sent it, something on the way changes the method',
  too_slow: 'If the service has sent it, give a longer bodyTimeout',
  too_large: 'If the service has sent it, give a larger maxBodyBytes',
};

/** Tells the operator what a handler turns away and what fails: the program's own functions, else `console.error`. */
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
      `a request was answered ${status} ${reason}: ${message}. ${ADVICE[reason]}. (Once a minute for each reason; onRejected gets all.)`;
    if (onRejected !== undefined) runSafely(() => onRejected(rejection), 'the function onRejected', this);
    else this.#rejections.tell(reason, text);
  }

  /** @param what What failed, in a few words. */
  failed(what: string, error: unknown, event?: WebhookEvent): void {
    const { onError } = this.#hooks;
    if (onError !== undefined) runSafely(() => onError(error, event), 'the function onError', this);
    else this.#failures.tell(what, () => `${what}, so the answer was 500${nameOf(event)}. ${shown(error)}`);
  }
}

/** Writes lines to `console.error`, of each kind so many in a minute. Those that are left out are counted. */
class Throttle {
  readonly #max: number;
  readonly #kinds = new Map<string, { since: number; told: number; untold: number }>();

  constructor(max: number) {
    this.#max = max;
  }

  tell(kind: string, text: () => string): void {
    const now = performance.now();
    let state = this.#kinds.get(kind);
    if (state === undefined || now - state.since >= PERIOD_MS) {
      state = { since: now, told: 0, untold: state?.untold ?? 0 };
      this.#kinds.set(kind, state);
    }
    if (state.told === this.#max) {
      state.untold++;
      return;
    }
    const more = state.untold === 0 ? '' : `${state.untold} more of this kind were not told. `;
    state.told++;
    state.untold = 0;
    runSafely(() => console.error(`partner-sdk/webhooks: ${more}${text()}`), 'console.error', this);
  }
}

function nameOf(event: WebhookEvent | undefined): string {
  if (event === undefined) return '';
  const { type, id } = event;
  const name = [type, id].filter((part) => part !== undefined).map((part) => clipped(printable(String(part)), MAX_ID));
  return ` (event ${name.join(' ')})`;
}

/**
 * An error with its stack and its causes. Its message may hold text of the sender, which must not write on a terminal.
 */
function shown(error: unknown): string {
  const causes: unknown[] = [error];
  try {
    for (let cause = causeOf(error); cause !== undefined && causes.length <= MAX_CAUSES; cause = causeOf(cause)) {
      causes.push(cause);
    }
    return causes.map(shownAlone).join('\n  caused by ');
  } catch {
    return 'What was thrown cannot be shown.';
  }
}

function causeOf(error: unknown): unknown {
  return isError(error) ? error.cause : undefined;
}

/** Asks what it has, not whose class it is: test runners load classes twice. */
function isError(value: unknown): value is Error {
  return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';
}

function shownAlone(error: unknown): string {
  if (!isError(error)) return clipped(printable(String(error)), MAX_MESSAGE);
  const head = clipped(printable(`${error.name}: ${error.message}`), MAX_MESSAGE);
  const calls = framesOf(error);
  return calls === '' ? head : `${head}\n${calls}`;
}
