import type { ApiKeys } from '../core/keys/api-keys.js';
import type { State } from '../core/records/state.js';
import type { Totals } from '../kinds/registry/books.js';
import type { Troubles } from '../trouble/registry.js';
import type { CurrentSettings } from '../trouble/settings.js';
import type { WebhookDispatcher } from '../webhooks/dispatcher.js';
import type { IdempotencyMemory } from './idempotency/idempotency.js';
import type { Journal } from './journal/journal.js';
import type { RequestProcessor } from './processor.js';

/** The parts of a service that answers requests. */
export interface ServiceParts {
  readonly seed: number;
  readonly state: State;
  readonly keys: ApiKeys;
  readonly webhooks: WebhookDispatcher;
  readonly troubles: Troubles;
  readonly settings: CurrentSettings;
  readonly journal: Journal;
  readonly idempotency: IdempotencyMemory;
  readonly requests: RequestProcessor;
  /** Sums of the ledger at the last start, reset or restore. */
  readonly firstTotals: Totals;
}
