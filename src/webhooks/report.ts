import { ConfigurationError } from '../core/errors.js';
import { harmless } from '../core/harmless.js';
import { processWide } from '../core/platform.js';
import type { WebhookHandlerHooks, WebhookRejection } from './handler-options.js';
import type { WebhookEvent } from './kinds.js';

const warned = processWide('webhooks.warned', () => new Set<string>());

/** Tells the operator what a handler turns away and what fails. */
export class Reporter {
  readonly #hooks: WebhookHandlerHooks;

  constructor(hooks: WebhookHandlerHooks) {
    this.#hooks = hooks;
  }

  rejected(rejection: WebhookRejection): void {
    const { onRejected } = this.#hooks;
    if (onRejected !== undefined) harmless(() => onRejected(rejection));
  }

  /** `what` failed: said in a process warning, each text once, when nobody listens. */
  failed(what: string, error: unknown, event?: WebhookEvent): void {
    const { onError } = this.#hooks;
    if (onError !== undefined) harmless(() => onError(error, event));
    else
      warnOnce(`partner-sdk/webhooks: ${what}, so the delivery was answered 500: ${reasonOf(error)} (reported once)`);
  }
}

/** An application's error may hold anything, so only what this package says about the program is shown. */
function reasonOf(error: unknown): string {
  return error instanceof ConfigurationError ? error.message : 'give onError to see the error';
}

function warnOnce(text: string): void {
  if (warned.has(text) || typeof process === 'undefined' || typeof process.emitWarning !== 'function') return;
  warned.add(text);
  process.emitWarning(text, { code: 'PARTNER_SDK_WEBHOOK' });
}
