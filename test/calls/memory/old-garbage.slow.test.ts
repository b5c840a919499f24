import { expect, it } from 'vitest';
import type { Transport } from '../../../src/index.js';
import { answerWith, bytesOf, clientOver, fakeTransport } from '../../support/fake-transport.js';
import { OldGarbage } from '../../support/old-garbage.js';

const ANSWER = bytesOf({ data: 'here' });

/** Answers in the order of the requests, those of one turn of the loop together. */
function answering(): Transport {
  let answers: (() => void)[] = [];
  const answerAll = () => {
    const due = answers;
    answers = [];
    for (const answer of due) answer();
  };
  return fakeTransport((listener) => {
    if (answers.length === 0) setImmediate(answerAll);
    answers.push(() => answerWith(listener, ANSWER));
  });
}

const WARM_UP = 2_000;
const CALLS = 20_000;
/** More than a lane has in flight: some wait. */
const CALLERS = 100;

// Each call is young when it is over. Kept until a full collection, they made that necessary several times in a second.
it('calls that are over go with the young garbage, also when they share a signal', async () => {
  // Not paced: the calls themselves are looked at.
  const client = clientOver(answering(), { nonceOrder: 'unordered' });
  const { signal } = new AbortController();
  const garbage = new OldGarbage();
  let made = 0;
  async function caller(): Promise<void> {
    while (made < WARM_UP + CALLS) {
      made++;
      if (made === WARM_UP) garbage.begin();
      await client.request({ method: 'GET', path: '/v1/here', signal });
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, caller));
  expect(client.stats().succeeded).toBe(WARM_UP + CALLS);
  expect(garbage.grown() / CALLS).toBeLessThan(100);
  await client.close();
});
