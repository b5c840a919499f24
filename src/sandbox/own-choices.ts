import { operations } from '../resources/operations.js';
import type { OwnChoices } from './core/kind/kind.js';
import { AREAS, KINDS } from './kinds/registry/index.js';

const OTHER_CHOICES: OwnChoices = {
  '': [
    'Measures the nonce window of an API key in nonces, not in time: a lower nonce is taken once, while at most so many higher ones have been used.',
    'Answers 403 for an account or user of another partner, or an unknown one; a user who is read and does not exist is 404.',
    'Takes addresses that have the form of their network, above.',
    'Gives an error whose `type` the service does not document `state_error` with 410, `service_error` with a 5xx, and otherwise `request_error`.',
    'Gives 20 items a page where the service documents no default of `page_size`, and takes each size from 1 where it documents no limit.',
    "Keeps an `Idempotency-Key` for 24 h, for all API keys of the partner or, with `idempotencyKeys: 'apiKey'`, for the one that signed. Another request under it is 409. A rejected request leaves it free, whatever the status, so the same request can succeed later. Operations that take none ignore it, whatever its form.",
    'Answers a body above 1 MiB with 413.',
    'Takes all times of the table above: 30 s of a quote, 5 s of screening, days of a bank.',
    "Chooses the members of payloads, sends them in an envelope unless a webhook has `form: 'flat'`, puts `timestamp` beside `event_type` in the flat form, waits 1 s, 2 s, 4 s … 128 s between the attempts to deliver, and sends the same bytes in each.",
    'Has the scopes of API keys, their quotas and the times of steps as options that are off by default.',
  ],
  'webhooks.create':
    'Takes http, too, to hosts that the internet cannot reach: loopback, private addresses, names without a dot such as `application`, and names below `localhost`, `internal` and `local`. Without `events` the webhook receives every kind; with an empty list, none. Without `description` it has an empty one.',
  'webhooks.update': 'Disables no webhook by itself, however often its deliveries fail.',
  'webhooks.test':
    'Delivers once, also to a disabled webhook, in the form of the webhook, and says `failure` as `result` unless the receiver answers 2xx. Without a response there is neither `http_status` nor `response_body`, which shows at most 1,000 characters. Webhooks of the seed receive nothing.',
};

/** Undocumented behaviour that the sandbox had to choose. */
interface OwnChoice {
  /** Name of the operation, for example `funds.withdrawals.create`; `''` for all. */
  readonly operation: string;
  /** One sentence about what the sandbox does. The real service may differ. */
  readonly choice: string;
}

const listed = (choices: OwnChoices): OwnChoice[] =>
  Object.entries(choices).flatMap(([operation, texts]) => [texts].flat().map((choice) => ({ operation, choice })));

const orderOf = new Map(operations.map(({ name }, index) => [name, index]));
const positionOf = ({ operation }: OwnChoice): number => orderOf.get(operation) ?? -1;

/** The sandbox's own choices in the order of the operations, as in `docs/sandbox/sandbox.md`. */
export const OWN_CHOICES: readonly OwnChoice[] = [
  ...listed(OTHER_CHOICES),
  ...[...KINDS, ...AREAS].flatMap(({ choices = {} }) => listed(choices)),
].sort((a, b) => positionOf(a) - positionOf(b));
