import { describe, expect, it } from 'vitest';
import { callFrom } from '../../support/processes/reports.js';
import { closedPort, KINDS } from '../../support/scene.js';

describe.concurrent('a refused connection, with other calls waiting for their turn', () => {
  it.each(['adaptive', 'strict', 'unordered'])(
    '%s: every call is refused, and nothing is left for the process to catch',
    async (nonceOrder) => {
      const { ends, inFlight, waiting, uncaught } = await callFrom(
        `http://127.0.0.1:${await closedPort()}`,
        nonceOrder,
        1,
      );
      expect(uncaught).toEqual([]);
      expect(ends).toHaveLength(2 * KINDS.length);
      for (const end of ends) {
        expect(end).toMatchObject({ end: 'ConnectionError', outcome: 'not_applied', count: 2 });
        expect(end.reasons).toEqual(['not_sent', 'not_sent']);
      }
      expect({ inFlight, waiting }).toEqual({ inFlight: 0, waiting: 0 });
    },
  );
});
