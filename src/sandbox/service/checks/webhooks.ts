import type { Delivery, DeliveryAttempt } from '../../webhooks/delivery.js';
import { verifySent } from '../../webhooks/verify/verify-input.js';
import { type CheckEvidence, type CheckRule, findingOf, type Seen, told } from './check.js';

/** A receiver that takes longer is late. */
const SLOW_ANSWER_MS = 5_000;

interface Attempted {
  readonly delivery: Delivery;
  readonly attempt: DeliveryAttempt;
}

/** The attempts that left the sandbox. */
const attemptsOf = ({ service }: Seen): Attempted[] =>
  service.webhooks.deliveries.flatMap((delivery) =>
    delivery.attempts.filter(({ lost }) => lost !== true).map((attempt) => ({ delivery, attempt })),
  );

const isTaken = ({ status = 0 }: DeliveryAttempt): boolean => status >= 200 && status <= 299;

const toldOf = (type: string, id: string, what: string): CheckEvidence => ({ text: `${told(type)} (${id}) ${what}` });

/** Receivers of webhooks, and troubles that were set. */
export const WEBHOOK_RULES: readonly CheckRule[] = [
  {
    id: 'webhook_speed',
    title: 'Webhooks are answered within 5 s',
    meaning: 'A receiver that works before it answers is sent the event again. Answer 200 first, then do the work.',
    judge(seen) {
      const attempts = attemptsOf(seen);
      const slow = attempts.filter(({ attempt }) => attempt.ms > SLOW_ANSWER_MS);
      return findingOf(
        attempts.length > 0,
        slow.map(({ delivery, attempt }) =>
          toldOf(delivery.type, delivery.id, `was under way for ${Math.round(attempt.ms / 100) / 10} s.`),
        ),
      );
    },
  },
  {
    id: 'webhook_answers',
    title: 'Webhooks are answered 2xx',
    meaning:
      'Any other answer is a failure, and the event comes again: after 5 s, 30 s, 155 s and so on. Answer events that you do not need with 200, too.',
    judge({ service }) {
      const deliveries = service.webhooks.deliveries.filter(({ attempts }) => attempts.length > 0);
      const untaken = deliveries.filter(({ status }) => status !== 'delivered');
      return findingOf(
        deliveries.length > 0,
        untaken.map(({ type, id, attempts }) => {
          const { status, error } = attempts.at(-1) ?? {};
          return toldOf(type, id, `was last answered ${status ?? told(error ?? 'nothing')}.`);
        }),
      );
    },
  },
  {
    id: 'webhook_signatures',
    title: 'A webhook with a wrong signature is refused',
    meaning:
      'A receiver that takes a forged event believes anyone. Verify `X-Signature` and its time before you read the body. Try it with `webhooks.faults`; judged where the attempts are kept (`inspect`).',
    judge(seen) {
      const { webhooks } = seen.service;
      const forged = attemptsOf(seen)
        .filter(({ attempt }) => attempt.fault !== undefined)
        .filter(({ delivery, attempt }) => {
          const [verdict] = verifySent(webhooks, webhooks.shown({ ...delivery, attempts: [attempt] }));
          return verdict?.valid === false;
        });
      return findingOf(
        forged.length > 0,
        forged
          .filter(({ attempt }) => isTaken(attempt))
          .map(({ delivery, attempt }) =>
            toldOf(delivery.type, delivery.id, `was forged, and answered ${attempt.status}.`),
          ),
      );
    },
  },
  {
    id: 'unused_faults',
    title: 'Each trouble that was set has struck',
    meaning: 'A fault, a bad webhook or an outcome that waits still will strike a later test. Take it back, or use it.',
    judge({ requests, service: { trouble } }) {
      const faults = trouble.faults.list().map(({ id, fault, operation = 'every request', struck }) => {
        return { struck, text: `${id}: ${fault} for ${told(operation)} has not struck.` };
      });
      const webhooks = trouble.webhookFaults.list().map(({ id, struck }) => {
        return { struck, text: `${id}: this bad webhook has not struck.` };
      });
      const outcomes = trouble.outcomes.list().map(({ id, operation, outcome, taken }) => {
        return { struck: taken, text: `${id}: ${outcome} for ${told(operation)} has not struck.` };
      });
      const all = [...faults, ...webhooks, ...outcomes];
      const unused = all.filter(({ struck }) => struck === 0).map(({ text }) => ({ text }));
      return findingOf(all.length > 0 || requests.some(({ faultId }) => faultId !== undefined), unused);
    },
  },
];
