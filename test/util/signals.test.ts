import { expect, it } from 'vitest';
import { type AbortSubscription, onAbort } from '../../src/util/abort.js';

/** Listens until it is told. */
function listen(signals: readonly AbortSignal[], told: string[], name: string): AbortSubscription | undefined {
  const subscription = onAbort(signals, {
    onAborted() {
      told.push(name);
      subscription?.cancel();
    },
  });
  return subscription;
}

it('a signal tells all that share it, also when each is forgotten as it is told', () => {
  const controller = new AbortController();
  const told: string[] = [];
  for (const name of ['first', 'second', 'third']) listen([controller.signal], told, name);
  controller.abort();
  expect(told).toEqual(['first', 'second', 'third']);
});

it('who listens to two signals is told of each, and forgets both', () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const told: string[] = [];
  listen([one.signal, other.signal], told, 'both');
  const silent = listen([one.signal, other.signal], told, 'forgotten');
  silent?.cancel();
  other.abort();
  one.abort();
  expect(told).toEqual(['both']);
});
