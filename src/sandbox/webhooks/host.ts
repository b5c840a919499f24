import type { State } from '../core/records/state.js';
import type { WebhookDispatcher } from './dispatcher.js';

/** A state and its webhooks. */
export interface WebhookHost {
  readonly state: State;
  readonly webhooks: WebhookDispatcher;
}
