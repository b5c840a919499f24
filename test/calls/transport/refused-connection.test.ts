import { describe, expect, it } from 'vitest';
import { ConnectionError, fetchTransport } from '../../../src/index.js';
import { type ClientOptions, closedPort, failure, KINDS, scene } from '../../support/scene.js';

const ways: readonly (readonly [string, () => ClientOptions])[] = [['fetch', () => ({ transport: fetchTransport() })]];

describe.concurrent.each(ways)('through %s', (_, options) => {
  it.each(KINDS)('$name: a refused connection is not_applied', async (kind) => {
    const baseUrl = `http://127.0.0.1:${await closedPort()}`;
    await scene({ client: { ...options(), baseUrl, maxRetries: 1 } }, async ({ client }) => {
      const error = await failure(kind.invoke(client), ConnectionError, { outcome: 'not_applied' });
      expect(error.attempts.failures.map(({ reason }) => reason)).toEqual(['not_sent', 'not_sent']);
    });
  });
});
