import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { AnswerCollector } from '../../src/response/answer-collector.js';

it('an exchange that is over no longer times out: its attempt may have started again', async () => {
  const listener = { onSent() {}, onHead() {}, onLimit: vi.fn(), onAnswered() {}, onBroken() {} };
  const collector = new AnswerCollector(listener, 1, 1);
  collector.onSent();
  collector.onError(new Error('the session has ended'), 'not_started');
  await sleep(30);
  expect(listener.onLimit).not.toHaveBeenCalled();
});
