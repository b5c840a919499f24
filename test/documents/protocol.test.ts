import { describe, expect, it } from 'vitest';
import { classify } from '../../src/call/retry-table.js';
import { operations } from '../../src/resources/operations.js';
import type { AttemptResult } from '../../src/response/attempt-result.js';
import { parseBody } from '../../src/response/read-answer.js';
import type { Operation } from '../../src/schema/operation.js';
import { HmacSigner } from '../../src/signing/signer.js';
import { signWebhook } from '../../src/webhooks/index.js';
import { readDocument } from './support/blocks.js';

/** The vectors of the document: values by name. */
const VECTORS = readDocument('docs/reference/protocol.md')
  .split('| value | is |')
  .slice(1)
  .map(
    (table) =>
      new Map(Array.from(table.matchAll(/^\| (.+?) \| (?:`(.*)`|none) \|$/gm), ([, name, is]) => [name, is ?? ''])),
  );

const of = (vector: Map<string | undefined, string>, name: string): string => vector.get(name) ?? '';

describe('the vectors of docs/reference/protocol.md', () => {
  const requests = VECTORS.filter((vector) => vector.has('`API-Sign`'));
  const webhooks = VECTORS.filter((vector) => vector.has('`X-Signature`'));

  it('are what the client signs', () => {
    expect(requests).toHaveLength(2);
    for (const vector of requests) {
      const [path, nonce, apiSecret, body] = ['path', 'nonce', 'secret', 'body'].map((name) => of(vector, name));
      const signed = new HmacSigner().sign({
        method: 'GET',
        path: path ?? '',
        nonce: nonce ?? '',
        apiKey: 'key',
        apiSecret: apiSecret ?? '',
        body: new TextEncoder().encode(body),
      });
      expect(signed).toBe(of(vector, '`API-Sign`'));
    }
  });

  it('are what signWebhook() writes, in each scheme', () => {
    expect(webhooks).toHaveLength(1);
    const [vector = new Map()] = webhooks;
    const [body, secret] = [of(vector, 'body'), of(vector, 'secret')];
    const timestamped = signWebhook({ body, secret, timestampSeconds: Number(of(vector, 't')) });
    expect(timestamped['X-Signature']).toBe(of(vector, '`X-Signature`'));
    const ofRamp = signWebhook({ body, secret, scheme: 'body' });
    expect(ofRamp['X-Signature']).toBe(of(vector, '`X-Signature` of a ramp callback with the same body and secret'));
    const [id, timestampSeconds] = [of(vector, '`webhook-id`'), Number(of(vector, 't'))];
    expect(signWebhook({ body, secret, scheme: 'standard', id, timestampSeconds })['webhook-signature']).toBe(
      of(vector, '`webhook-signature` of this id and time, the same body and secret'),
    );
  });
});

/** The rows of the table that begins with this cell, cell by cell. */
function rowsOf(firstCell: string): string[][] {
  const [, table = ''] = readDocument('docs/reference/protocol.md').split(`| ${firstCell} |`);
  const [rows = ''] = table.split('\n\n');
  return rows
    .split('\n')
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    );
}

/** A write with `data` in its success. */
const SAVE = operations.find(({ name }) => name === 'funds.withdrawalAddresses.save') as Operation;

const SAFETIES = ['always', 'keyed', 'unkeyed'] as const;

describe('the table of retries in docs/reference/protocol.md', () => {
  const OWN = '{"error":{"type":"t","status":500,"instance":"i","code":"some_code"}}';
  const HTML = '<html>';
  const answers = (statuses: readonly number[], bodies: readonly string[], more: Partial<AttemptResult> = {}) =>
    statuses.flatMap((status) => bodies.map((text) => ({ kind: 'answer', status, text, ...more }) as const));

  /** By the beginning of the row. Those of HTTP/2 and of a whole body are decided before the table of the client. */
  const SITUATIONS = {
    '429': answers([429], [OWN, HTML]),
    '502, 503, 504': answers([502, 503, 504], [OWN, HTML]),
    'any other 5xx whose body is no error': answers([500, 501, 505, 599], [HTML, '', '{}']),
    '500, 501 and others of the service itself': answers([500, 501, 505], [OWN]),
    '401, if a request with a higher nonce': answers([401], [OWN], { overtaken: true }),
    'any other 401': answers([401], [OWN, HTML]),
    'any other status': answers([302, 400, 403, 404, 408, 409, 410, 413], [OWN, HTML]),
    'nothing: no connection': [{ kind: 'not_sent', status: undefined, text: '', sent: false }],
    'nothing: the connection broke': (['lost', 'too_slow'] as const).map((kind) => ({
      kind,
      status: undefined,
      text: '',
    })),
    'a 2xx whose body begins with': [{ kind: 'lost', status: 200, text: '{"data":{"i' }],
    'a whole 2xx that is no JSON': answers([200], [HTML, '', '{"ok":true}']),
  } as const;

  const rows = rowsOf('what came back');
  const rowOf = (begin: string) => rows.find(([first]) => first?.startsWith(begin)) ?? [];

  it('has each situation once', () => {
    expect(rows.filter(([first]) => !Object.keys(SITUATIONS).some((begin) => first?.startsWith(begin)))).toHaveLength(
      2,
    );
  });

  it.each(Object.entries(SITUATIONS))('is what the client does: %s', (begin, results) => {
    for (const [index, retrySafety] of SAFETIES.entries()) {
      const cell = rowOf(begin)[index + 1] ?? '';
      for (const result of results) {
        const answer = {
          begun: true,
          sent: true,
          headers: {},
          overtaken: false,
          error: undefined,
          exchange: undefined,
          ...result,
          body: [new TextEncoder().encode(result.text)],
        };
        const verdict = classify(
          { write: true, operation: { answer: { kind: 'value' }, retrySafety }, retriesSlow: true } as Parameters<
            typeof classify
          >[0],
          answer,
          parseBody(SAVE, answer),
          true,
        );
        const next = { race: 'retry at once', refused: 'retry once' }[verdict.next as string] ?? verdict.next;
        expect([begin, retrySafety, result, next]).toEqual([begin, retrySafety, result, cell.split(':')[0]]);
        if (cell === 'stop: unknown') expect(verdict.effect).toBe('unknown');
        if (cell === 'stop: it has happened') expect(verdict.effect).toBe('applied');
      }
    }
  });
});

describe('docs/reference/protocol.md', () => {
  it('names each operation whose answer is not a value in data, and each list with another cursor', () => {
    const text = readDocument('docs/reference/protocol.md');
    const [, section = ''] = text.split('## A response');
    const bare = operations.filter(({ answer }) => answer.kind !== 'value');
    for (const { name } of [...bare, { name: 'accounts.earn.auto.get' }, { name: 'users.verifications.list' }])
      expect(section).toContain(`\`${name}\``);
    const others = operations.filter(({ cursor }) => cursor !== undefined && cursor !== 'page_token');
    for (const { name, cursor } of others)
      expect(section).toMatch(new RegExp(`\`${name}\`, takes it as \`${cursor}\``));
    expect(others).toHaveLength(1);
  });
});
