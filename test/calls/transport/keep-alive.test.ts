import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { GET, scene } from '../../support/scene.js';
import { rightAnswer, type Service } from '../../support/service.js';

/** The service says in each answer that it keeps an idle connection for a second. */
function announceOneSecond(service: Service): void {
  service.script = (request) => {
    const { headers, ...answer } = rightAnswer(request);
    return { ...answer, headers: { ...headers, connection: 'keep-alive', 'keep-alive': 'timeout=1' } };
  };
}

describe('a service that says it keeps idle connections for a second', () => {
  it('is asked over the same connection as long as calls follow one another', () =>
    scene({}, async ({ service, client }) => {
      announceOneSecond(service);
      for (let call = 0; call < 30; call++) await GET.invoke(client);
      // On a busy machine half a second may pass between two calls.
      expect(service.connections).toBeLessThan(10);
    }));

  it('is asked over a new one when a second is nearly over', () =>
    scene({}, async ({ service, client }) => {
      announceOneSecond(service);
      await GET.invoke(client);
      await sleep(900);
      await GET.invoke(client);
      expect(service.requests.map(({ connection }) => connection)).toEqual([1, 2]);
    }));
});
