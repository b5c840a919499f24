import { describe, expect, it } from 'vitest';
import { ConfigurationError, PartnerError } from '../../../src/index.js';
import { program, run } from '../../support/processes/program.js';
import { failure, GET, KEYED, scene, settled, WAYS } from '../../support/scene.js';
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

  it.each(WAYS)('no connection stays open at the service (%s)', (over) =>
    scene({ over }, async ({ service, client }) => {
      await Promise.all(Array.from({ length: 20 }, () => GET.invoke(client)));
      expect(service.openConnections).toBeGreaterThan(0);
      await client.close();
      await until(() => service.openConnections === 0, 'no connection is open');
    }),
  );

  it('calls under way all end, and a later call is refused', () =>
    scene({}, async ({ service, client }) => {
      const open = service.hold();
      const calls = Array.from({ length: 6 }, (_, place) =>
        (place % 2 ? KEYED : GET).invoke(client, { timeout: 3_000 }),
      );
      const ends = settled(calls);
      await service.arrived(1);
      const closing = client.close();
      open();
      await closing;
      for (const end of await ends) if (end instanceof Error) expect(end).toBeInstanceOf(PartnerError);
      expect(await failure(GET.invoke(client))).toMatchObject({ name: 'ConfigurationError', outcome: 'not_applied' });
      await until(() => service.openConnections === 0, 'no connection is open');
    }));

  it.each(WAYS)('one of two clients on a lane closes without harm to the other (%s)', (over) =>
    scene({ over, service: { nonces: 'any' } }, async ({ service, client, connect }) => {
      const other = connect();
      service.script = (request) => ({ ...rightAnswer(request), delay: 20 });
      const calls = Array.from({ length: 10 }, () => GET.invoke(other).withResponse());
      await GET.invoke(client);
      await client.close();
      for (const { response } of await Promise.all(calls)) expect(response.attempts).toBe(1);
      expect(service.openConnections).toBeGreaterThan(0);
      expect(await GET.invoke(other)).toMatchObject({ type: 'individual' });
    }),
  );

  it('close() may be called twice, and before any call', () =>
    scene({}, async ({ client, connect }) => {
      await GET.invoke(client);
      await Promise.all([client.close(), client.close()]);
      await client.close();
      await connect().close();
    }));

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
