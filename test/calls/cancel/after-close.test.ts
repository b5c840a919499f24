import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../src/index.js';
import { program, run } from '../../support/processes/program.js';
import { GET, KEYED, scene, WAYS } from '../../support/scene.js';
import { rightAnswer } from '../../support/service.js';
import { until } from '../../support/until.js';

const leaver = program('test/support/processes/leaver.ts');

describe('after close() nothing is left', () => {
  it.each(['success', 'abort', 'open'])('the process ends by itself (last call: %s)', (ending) =>
    // Refused as late and retried, one of the first would be the one without an answer.
    scene({ service: { nonces: 'any' } }, async ({ service }) => {
      service.script = (request) =>
        request.index >= 10 && ending !== 'success' ? { fault: 'silent' } : rightAnswer(request);
      const { url, apiKey, apiSecret } = service;
      const { stdout: left, lingered } = await run(leaver, [url, apiKey, apiSecret, ending]);
      expect(JSON.parse(left)).toEqual([]);
      expect(lingered).toBeLessThan(5_000);
      await until(() => service.openConnections === 0, 'no connection is open');
    }),
  );

  it('await using closes', () =>
    scene({}, async ({ service, client }) => {
      await GET.invoke(client);
      await client[Symbol.asyncDispose]();
      await until(() => service.openConnections === 0, 'no connection is open');
    }));

  it('withOptions of a closed client is refused', () =>
    scene({}, async ({ client }) => {
      const derived = client.withOptions({ timeout: 5_000 });
      await client.close();
      expect(() => client.withOptions({ timeout: 5_000 })).toThrow(ConfigurationError);
      await GET.invoke(derived);
    }));

  it.each(WAYS)('withOptions shares the lane and its connections (%s)', (over) =>
    scene({ over }, async ({ service, client }) => {
      const hasty = client.withOptions({ timeout: 5_000 });
      for (let round = 0; round < 10; round += 1) {
        await GET.invoke(client);
        await KEYED.invoke(hasty);
      }
      expect(service.connections).toBe(1);
      expect(service.refused).toEqual([]);
      await hasty.close();
      await client.close();
      await until(() => service.openConnections === 0, 'no connection is open');
    }),
  );
});
