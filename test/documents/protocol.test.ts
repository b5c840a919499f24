import { describe, expect, it } from 'vitest';
import { HmacSigner } from '../../src/signing/signer.js';
import { signWebhook } from '../../src/webhooks/index.js';
import { readDocument } from './support/blocks.js';

/** The vectors of the document: values by name. */
const VECTORS = readDocument('docs/protocol.md')
  .split('| value | is |')
  .slice(1)
  .map(
    (table) =>
      new Map(Array.from(table.matchAll(/^\| (.+?) \| (?:`(.*)`|none) \|$/gm), ([, name, is]) => [name, is ?? ''])),
  );

const of = (vector: Map<string | undefined, string>, name: string): string => vector.get(name) ?? '';

describe('the vectors of docs/protocol.md', () => {
  const requests = VECTORS.filter((vector) => vector.has('`API-Sign`'));
  const webhooks = VECTORS.filter((vector) => vector.has('`X-Signature`'));

  it('are what the client signs', () => {
    expect(requests).toHaveLength(2);
    for (const vector of requests) {
      const [path, nonce, apiSecret, body] = ['path', 'nonce', 'secret', 'body'].map((name) => of(vector, name));
      const signed = new HmacSigner().sign({
        ...{ method: 'GET', path: path ?? '', nonce: nonce ?? '', apiKey: 'key', apiSecret: apiSecret ?? '' },
        body: new TextEncoder().encode(body),
      });
      expect(signed).toBe(of(vector, '`API-Sign`'));
    }
  });

  it('are what signWebhook() writes, in both schemes', () => {
    expect(webhooks).toHaveLength(1);
    const [vector = new Map()] = webhooks;
    const [body, secret] = [of(vector, 'body'), of(vector, 'secret')];
    const timestamped = signWebhook({ body, secret, timestampSeconds: Number(of(vector, 't')) });
    expect(timestamped['X-Signature']).toBe(of(vector, '`X-Signature`'));
    const ofRamp = signWebhook({ body, secret, scheme: 'body' });
    expect(ofRamp['X-Signature']).toBe(of(vector, '`X-Signature` of a ramp callback with the same body and secret'));
  });
});
