import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isPartnerError, type PartnerClient } from '../../../src/index.js';
import type { Operation } from '../../../src/schema/operation.js';
import type { ExchangeListener, Loss } from '../../../src/transport/connections.js';
import { answerWith, bytesOf, clientOver, fakeTransport } from '../../support/fake-transport.js';
import {
  ACCOUNT,
  DELETE,
  GET,
  KEYED,
  type Kind,
  type PerCall,
  REPEATABLE,
  UNKEYED,
  USER,
} from '../../support/scene.js';
import {
  type Attempt,
  allowedBy,
  outcomeIn,
  provesKey,
  quickAttempts,
  REJECTED,
  type Traits,
  together,
  type Worlds,
} from '../support/attempts.js';

type Outcome = 'not_applied' | 'unknown' | 'applied';

/** An operation of the client, with what the model knows of it. */
interface Case extends Traits {
  readonly method: Operation['method'];
  readonly invoke: (client: PartnerClient, options: PerCall) => Promise<unknown>;
}

const caseOf = (kind: Pick<Kind, 'name' | 'invoke'>, method: Case['method'], facts: Partial<Traits>): Case => ({
  name: kind.name,
  invoke: kind.invoke,
  method,
  read: method === 'GET',
  needsOtp: false,
  retrySafety: 'unkeyed',
  declaresData: true,
  ...facts,
});

const submitUrl: Case['invoke'] = (client, options) =>
  client.users.verifications.submitUrl(USER, { front_url: 'https://documents.example.com/1' }, options);
const whitelist: Case['invoke'] = (client, options) =>
  client.accounts.wallets.whitelist(ACCOUNT, { via: 'bitcoin', address: 'bc1qexample' }, { ...options, otp: '123456' });

const CASES: readonly Case[] = [
  caseOf(GET, 'GET', { retrySafety: 'always' }),
  caseOf(DELETE, 'DELETE', { retrySafety: 'always', declaresData: false }),
  caseOf(REPEATABLE, 'POST', { retrySafety: 'always' }),
  caseOf(KEYED, 'PUT', { retrySafety: 'keyed' }),
  caseOf(UNKEYED, 'POST', { declaresData: false }),
  caseOf({ name: 'write without key that declares data', invoke: submitUrl as Kind['invoke'] }, 'POST', {}),
  caseOf({ name: 'write that needs an OTP', invoke: whitelist as Kind['invoke'] }, 'POST', {
    retrySafety: 'keyed',
    needsOtp: true,
  }),
];

/** @param isExact False where the client may know less than the model, because a body was cut. */
function expectTruth(outcome: Outcome, worlds: Worlds, isExact: boolean): void {
  if (worlds.withEffect) expect(outcome, 'there may be an effect').not.toBe('not_applied');
  if (worlds.withoutEffect) expect(outcome, 'there may be none').not.toBe('applied');
  if (isExact) expect(outcome).toBe(outcomeIn(worlds));
}

const isExact = (made: readonly Attempt[]): boolean => made.every(({ head }) => head?.isCut !== true);

/** A 429 without the service's form keeps its retries, although it may be a proxy's. */
const maySendAgain = ({ head }: Attempt, { withEffect }: Worlds): boolean => !withEffect || head?.status === 429;

describe('so is the outcome that a client reports', () => {
  // Full jitter of nothing: the waits cost no time here.
  beforeAll(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
  afterAll(() => void vi.restoreAllMocks());

  it.each(CASES)('$name', async (operation) => {
    const sequences = fc.array(quickAttempts, { minLength: 1, maxLength: 4 });
    const property = fc.asyncProperty(sequences, fc.boolean(), (script, isWarm) => check(operation, script, isWarm));
    await fc.assert(property, { numRuns: 300 });
  });
});

/** @param isWarm True if the service has accepted the API key before. */
async function check(operation: Case, script: readonly Attempt[], isWarm: boolean): Promise<void> {
  const made: Attempt[] = [];
  const controller = new AbortController();
  /** Undefined for the call that has the API key accepted. */
  let current: Attempt | undefined;
  const transport = fakeTransport((listener) => {
    if (current === undefined) answerWith(listener, bytesOf({ data: {} }));
    else play(current, listener, controller);
  });
  await using client = clientOver(transport, { apiSecret: () => secretFor(current), maxRetries: 4 });
  if (isWarm) await client.request({ method: 'GET', path: '/v1/things' });
  const begin = () => {
    current = script[made.length] ?? REJECTED;
    made.push(current);
  };
  begin();
  const call = operation.invoke(client.withOptions({ hooks: { onRetry: begin } }), { signal: controller.signal });
  const outcome = await call.then(
    () => (operation.read ? 'not_applied' : 'applied'),
    (error: unknown) => (isPartnerError(error) ? error.outcome : Promise.reject(error)),
  );
  const worlds = made.map((attempt, place) =>
    allowedBy(operation, attempt, isWarm || made.slice(place).some(provesKey)),
  );
  expectTruth(outcome, together(worlds), isExact(made));
  if (operation.retrySafety !== 'unkeyed') return;
  for (const [place, attempt] of made.slice(0, -1).entries())
    expect(attempt).toSatisfy(() => maySendAgain(attempt, worlds[place] ?? together([])));
}

function secretFor(attempt: Attempt | undefined): string {
  if (attempt?.end === 'provider') throw new Error('the vault is closed');
  return 'c2VjcmV0';
}

/** Lets one exchange end as the attempt should. */
function play({ end, head }: Attempt, listener: ExchangeListener, controller: AbortController): void {
  if (end !== 'not_sent') listener.onSent();
  if (head !== undefined) {
    listener.onHead(head.status, end === 'too_large' ? { 'content-length': '999999999' } : {});
    if (head.body.length > 0 || end === 'too_large') listener.onData(head.body);
  }
  if (end === 'whole') listener.onEnd();
  if (end === 'aborted') controller.abort();
  if (end !== 'whole') listener.onError(new Error(end), LOSSES[end] ?? 'lost');
}

const LOSSES: Partial<Record<Attempt['end'], Loss>> = {
  not_sent: 'not_sent',
  refused: 'unprocessed',
  disowned: 'disowned',
  bystander: 'bystander',
};
