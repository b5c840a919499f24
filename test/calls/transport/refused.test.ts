import { describe, expect, it } from 'vitest';
import { ConnectionError, fetchTransport } from '../../../src/index.js';
import { freePort } from '../../support/free-port.js';
import { callFrom, expectUnsent } from '../../support/processes/reports.js';
import { failure, KINDS, scene } from '../../support/scene.js';

const refusing = async () => `http://127.0.0.1:${await freePort()}`;

it.concurrent.each(KINDS)('through fetch, $name: a refused connection is not_applied', async (kind) => {
  const client = { transport: fetchTransport(), baseUrl: await refusing(), maxRetries: 1 };
  await scene({ client }, async ({ client }) => {
    const error = await failure(kind.invoke(client), ConnectionError, { outcome: 'not_applied' });
    expect(error.attempts.failures.map(({ reason }) => reason)).toEqual(['not_sent', 'not_sent']);
  });
});

describe.concurrent('a refused connection, with other calls waiting for their turn', () => {
  it.each(['adaptive', 'strict', 'unordered'])(
    '%s: every call is refused, and nothing is left for the process to catch',
    async (nonceOrder) => {
      const report = await callFrom(await refusing(), nonceOrder, 1);
      expect(report.ends).toHaveLength(2 * KINDS.length);
      expectUnsent(report);
    },
  );
});
