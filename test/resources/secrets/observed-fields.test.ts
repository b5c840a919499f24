import { describe, expect, it } from 'vitest';
import { invoke, OPERATIONS, operation } from '../support/operations.js';
import { failure, json, rejection, startService } from '../support/service.js';

const service = startService();

/** The members that `CallEvent` and its kin document. */
const CALL = ['callId', 'operation', 'method', 'path', 'idempotencyKey'];
const FIELDS = {
  onStart: CALL,
  onRequest: [...CALL, 'attempt', 'queueTime'],
  onResponse: [...CALL, 'attempt', 'queueTime', 'status', 'durationMs', 'replayed'],
  onRetry: [...CALL, 'attempt', 'reason', 'status', 'code', 'delayMs'],
  onError: [...CALL, 'error', 'outcome', 'attempts', 'durationMs'],
  onEnd: [...CALL, 'outcome', 'attempts', 'queueTime', 'durationMs', 'error'],
} as const;
type Hook = keyof typeof FIELDS;

function observed() {
  const events: [Hook, Record<string, unknown>][] = [];
  const lines: [string, object][] = [];
  const line = (message: string, fields: object) => void lines.push([message, fields]);
  const hooks = Object.fromEntries(
    Object.keys(FIELDS).map((name) => [name, (event: object) => events.push([name as Hook, { ...event }])]),
  );
  return { events, lines, options: { hooks, logger: { debug: line, info: line, warn: line, error: line } } };
}

describe('hooks and logger', () => {
  it.each(OPERATIONS)('$name: see the documented members, the path template, and nothing of the input', async (op) => {
    // A 503 is repeated where repeating is safe, a 404 ends the call.
    service.answer((_, index) => (index === 0 ? failure(503, 'unavailable') : failure(404, 'not_found')));
    const { events, lines, options } = observed();
    await rejection(invoke(op, service.client({ ...options, maxRetries: 1, maxRetryAfter: 0 })));
    expect(events.map(([name]) => name)).toContain('onError');
    for (const [name, event] of events) {
      expect(Object.keys(event).sort()).toEqual([...FIELDS[name]].sort());
      expect(event).toMatchObject({ operation: op.name, method: op.method, path: op.template });
    }
    const shown = JSON.stringify([events, lines]);
    const texts = [...op.ids, ...Object.values(op.query ?? {}), ...Object.values(op.body ?? {})];
    for (const text of texts)
      if (typeof text === 'string' && text.length > 6 && !op.name.includes(text)) expect(shown).not.toContain(text);
    // A call's begin and end are for hooks; a failure has its own line.
    expect(lines.length).toBe(events.length - 2);
  });

  it('see no query of a request() either', async () => {
    service.answer(() => json({ data: 1 }));
    const { events, lines, options } = observed();
    const client = service.client(options);
    await client.request({ method: 'GET', path: '/v1/x?amount=private-amount' });
    await client.request({ method: 'GET', path: '/v1/x', query: { amount: 'private-amount' } });
    expect(events).toHaveLength(8);
    expect(JSON.stringify([events, lines])).not.toContain('private-amount');
  });

  it('tell the truth about a replayed answer, its attempts and its time', async () => {
    const execute = operation('accounts.quotes.execute');
    service.answer((_, index) =>
      index === 0 ? failure(503, 'unavailable') : json(execute.answer, 200, { 'idempotent-replayed': 'true' }),
    );
    const { events, options } = observed();
    await invoke(execute, service.client({ ...options, maxRetries: 1 }));
    const key = service.received[0]?.headers['idempotency-key'];
    expect(
      events.map(([name, { attempt, status, reason, code, replayed }]) => [
        ...[name, attempt, status, reason, code, replayed],
      ]),
    ).toEqual([
      ['onStart', undefined, undefined, undefined, undefined, undefined],
      ['onRequest', 1, undefined, undefined, undefined, undefined],
      ['onResponse', 1, 503, undefined, undefined, false],
      ['onRetry', 1, 503, 'status', 'unavailable', undefined],
      ['onRequest', 2, undefined, undefined, undefined, undefined],
      ['onResponse', 2, 200, undefined, undefined, true],
      ['onEnd', undefined, undefined, undefined, undefined, undefined],
    ]);
    for (const [, event] of events) expect(event['idempotencyKey']).toBe(key);
    for (const [name, event] of events)
      if (name === 'onResponse') expect(event['durationMs']).toSatisfy((ms: number) => ms >= 0 && ms < 5_000);
  });
});
