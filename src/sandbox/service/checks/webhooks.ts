import { all } from '../../core/kind/find.js';
import type { AnnouncedState, AnyKind } from '../../core/kind/kind.js';
import { KINDS } from '../../kinds/registry/index.js';
import type { Delivery, DeliveryAttempt } from '../../webhooks/delivery/delivery.js';
import { membersIn } from '../../webhooks/delivery/payload.js';
import { verifySent } from '../../webhooks/verify/verify-input.js';
import { type CheckEvidence, type CheckInput, type CheckRule, findingOf, quoted } from './check.js';

/** Time in ms after which a receiver's response is late. */
const SLOW_ANSWER_MS = 5_000;

interface Attempted {
  readonly delivery: Delivery;
  readonly attempt: DeliveryAttempt;
}

const attemptsOf = ({ service }: CheckInput): Attempted[] =>
  service.webhooks.deliveries.flatMap((delivery) =>
    delivery.attempts.filter(({ lost }) => lost !== true).map((attempt) => ({ delivery, attempt })),
  );

const isAccepted = ({ status = 0 }: DeliveryAttempt): boolean => status >= 200 && status <= 299;

const evidenceOf = ({ type, id }: Delivery, what: string): CheckEvidence => ({
  text: `${quoted(type)} (${id}) ${what}`,
});

/** Rules about receivers of webhooks, and about faults that were added but never used. */
export const WEBHOOK_RULES: readonly CheckRule[] = [
  {
    id: 'webhook_speed',
    title: 'Webhooks get a response within 5 s',
    failure: ['delivery attempt took more than 5 s', 'delivery attempts took more than 5 s'],
    meaning: 'A receiver that works before it responds gets the event again. Respond with 200 first, then do the work.',
    judge(input) {
      const attempts = attemptsOf(input);
      const slow = attempts.filter(({ attempt }) => attempt.ms > SLOW_ANSWER_MS);
      const evidence = slow.map(({ delivery, attempt: { ms } }) =>
        evidenceOf(delivery, `was under way for ${Math.round(ms / 100) / 10} s.`),
      );
      return findingOf(attempts.length > 0, evidence);
    },
  },
  {
    id: 'webhook_answers',
    title: 'Webhooks get a 2xx response',
    failure: ['webhook did not get a 2xx response', 'webhooks did not get a 2xx response'],
    meaning:
      'After any other response, the sandbox sends the event again, by default for about four minutes, and then stops. Respond with 200 even to events that you do not need.',
    judge({ service }) {
      const deliveries = service.webhooks.deliveries.filter(({ attempts }) => attempts.length > 0);
      const failed = deliveries.filter(({ status }) => status !== 'delivered');
      const evidence = failed.map((delivery) => {
        const { status, error = 'nothing' } = delivery.attempts.at(-1) ?? {};
        return evidenceOf(delivery, `was last answered ${status ?? quoted(error)}.`);
      });
      return findingOf(deliveries.length > 0, evidence);
    },
  },
  {
    id: 'webhook_signatures',
    title: 'A webhook with a wrong signature is rejected',
    failure: ['webhook with a wrong signature was accepted', 'webhooks with a wrong signature were accepted'],
    meaning:
      'A receiver that accepts a forged event trusts anyone. Verify `X-Signature` and its time before you read the body. Try it with `webhooks.faults`. Needs stored attempts (`inspect`).',
    judge(input) {
      const { webhooks } = input.service;
      const forged = attemptsOf(input)
        .filter(({ attempt }) => attempt.fault !== undefined)
        .filter(({ delivery, attempt }) => {
          const [verdict] = verifySent(webhooks.subscriptions, webhooks.shown({ ...delivery, attempts: [attempt] }));
          return verdict?.valid === false;
        });
      const accepted = forged.filter(({ attempt }) => isAccepted(attempt));
      const evidence = accepted.map(({ delivery, attempt: { status } }) =>
        evidenceOf(delivery, `was forged, and answered ${status}.`),
      );
      return findingOf(forged.length > 0, evidence);
    },
  },
  {
    id: 'unused_troubles',
    title: 'Every trouble that was added was applied',
    failure: ['trouble was not applied', 'troubles were not applied'],
    meaning: 'A trouble that is still active also applies to later tests. Remove it, or use it.',
    judge({ requests, service: { troubles } }) {
      const all = troubles.list().filter(({ does }) => typeof does !== 'object' || !('delayMs' in does));
      const unused = all
        .filter(({ applied }) => applied === 0)
        .map(({ id, does }) => ({ text: `${id}: ${JSON.stringify(does)} was not applied.` }));
      return findingOf(all.length > 0 || requests.some(({ faultId }) => faultId !== undefined), unused);
    },
  },
];

/** Rules about states whose events must be delivered, one for each kind that has such a state. */
export const ANNOUNCED_STATE_RULES: readonly CheckRule[] = KINDS.flatMap((kind) =>
  kind.announced === undefined ? [] : [ruleOf(kind, kind.announced)],
);

function ruleOf(kind: AnyKind, { state: announced, event, check, pending, ...said }: AnnouncedState): CheckRule {
  const evidenceOf = (text: string) => (id: string) => ({ text, resource: { kind: kind.name, id } });
  return {
    id: check,
    ...said,
    judge({ service: { state, webhooks } }) {
      const statuses = bestStatuses(webhooks.deliveries.filter(({ type }) => type === event));
      const ids = all(state, kind).flatMap(({ id, record }) => (kind.stateOf?.(record) === announced ? [id] : []));
      const lost = ids.filter((id) => statuses.get(id) === 'failed');
      const isSeen = ids.some((id) => statuses.get(id) === 'delivered');
      const evidence = lost.map(evidenceOf('No webhook took its event.'));
      if (evidence.length > 0 || isSeen || ids.length === 0) return findingOf(isSeen, evidence);
      return { status: 'unseen', evidence: ids.map(evidenceOf(pending)) };
    },
  };
}

/** Returns the best delivery status of each resource's event. */
function bestStatuses(deliveries: readonly Delivery[]): ReadonlyMap<string, Delivery['status']> {
  const found = new Map<string, Delivery['status']>();
  for (const { body, status } of deliveries) {
    const id = String(membersIn(body)['id']);
    const before = found.get(id);
    if (before === undefined || before === 'failed' || status === 'delivered') found.set(id, status);
  }
  return found;
}
