import { operations } from '../resources/operations.js';
import type { OwnChoices } from './core/kind/kind.js';
import { AREAS, KINDS } from './kinds/registry/index.js';

const OTHER_CHOICES: OwnChoices = {
  '': [
    'Measures the nonce window of an API key as a number of nonces, not as a time. A nonce below the highest one is accepted once, as long as at most that many higher nonces have been used.',
    "Answers 403 if an account or user belongs to another partner or is unknown. Only reading a user who doesn't exist is a 404.",
    'Accepts every address that has the form of its network, as [how the sandbox behaves](sandbox-behavior.md#what-happens-and-when) describes.',
    'Sets the `type` of an error to `state_error` with 410, to `service_error` with a 5xx and otherwise to `request_error`, unless the service documents another `type`.',
    'Returns 20 items per page where the service documents no default for `page_size`, and accepts every size from 1 where the service documents no limit.',
    "Stores an `Idempotency-Key` for 24 h: for all API keys of the partner or, with `idempotencyKeys: 'apiKey'`, for the API key that signed the request. If a different request has the same idempotency key, the sandbox answers 409. A rejected request leaves its idempotency key free, whatever the status, so the same request can succeed later. Operations that take no `Idempotency-Key` ignore the header, whatever its form.",
    'Answers 413 if a body is larger than 1 MiB.',
    'Chooses all times of [what happens, and when](sandbox-behavior.md#what-happens-and-when), for example 30 s for a quote, 5 s for screening and days for a bank transfer.',
    "Chooses the members of webhook payloads, and sends a payload in an envelope unless the webhook has `form: 'flat'`. The flat form has `timestamp` beside `event_type`. Between delivery attempts the sandbox waits 1 s, 2 s, 4 s … 128 s, and every attempt sends the same bytes.",
    'Offers scopes and quotas of API keys, and durations of steps, as options that are off by default.',
  ],
  'webhooks.create':
    'Also accepts http URLs if the internet cannot reach the host: loopback, private addresses, names without a dot such as `application`, and names below `localhost`, `internal` and `local`. Without `events` the webhook receives every kind of event; with an empty list, it receives none. If you leave out `description`, it is empty.',
  'webhooks.update': 'Never disables a webhook by itself, however often its deliveries fail.',
  'webhooks.test':
    "Makes one delivery in the form of the webhook, even if the webhook is disabled. `result` is `failure` unless the receiver answers 2xx. `response_body` has at most 1,000 characters; if the receiver doesn't respond, both `http_status` and `response_body` are absent. Webhooks of the seed receive nothing.",
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

/** The sandbox's own choices, operation by operation, as in `docs/sandbox/sandbox-choices.md`. */
export const OWN_CHOICES: readonly OwnChoice[] = [
  ...listed(OTHER_CHOICES),
  ...[...KINDS, ...AREAS].flatMap(({ choices = {} }) => listed(choices)),
].sort((a, b) => positionOf(a) - positionOf(b));
