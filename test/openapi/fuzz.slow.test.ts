import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSandbox } from '../../src/sandbox/index.js';
import { signedHeaders } from '../../tools/examples/signing.js';
import { makeDocuments } from '../../tools/openapi/build.js';
import { type Described, requestsOf } from './support/requests.js';
import { Validator } from './support/validator.js';

const RUNS = 20_000;

const api = JSON.parse((await makeDocuments()).get('openapi.json') ?? '');
const validator = new Validator(api);
const operations: Described[] = Object.entries(api.paths as Record<string, Record<string, object>>).flatMap(
  ([path, item]) => Object.entries(item).map(([method, operation]) => ({ ...operation, path, method }) as Described),
);

test(`${RUNS} requests that are valid, nearly valid or hostile get answers that the document describes`, async () => {
  await using sandbox = createSandbox();
  let nonce = 1n;
  const statuses = new Map<string, number>();

  await fc.assert(
    fc.asyncProperty(requestsOf(api, operations), async ({ operation, target, body, headers, kind }) => {
      nonce += 1n;
      const answer = await sandbox.fetch(
        new Request(`https://sandbox.example${target}`, {
          method: operation.method.toUpperCase(),
          headers: { ...signedHeaders(sandbox.credentials, target, nonce, body), ...headers },
          ...(body === undefined ? {} : { body }),
        }),
      );
      const text = await answer.text();
      statuses.set(`${kind} ${answer.status}`, (statuses.get(`${kind} ${answer.status}`) ?? 0) + 1);
      expect(answer.status).toBeLessThan(500);
      expect(answer.status).not.toBe(401);
      const described = operation.responses[answer.status] ?? operation.responses['default'];
      const schema = resolved(described).content?.['application/json'].schema;
      if (schema === undefined) return;
      expect(validator.issuesOf(schema, JSON.parse(text))).toEqual([]);
    }),
    { numRuns: RUNS, ...(process.env['CI'] === undefined ? {} : { seed: 16 }) },
  );

  // Otherwise the test would say little.
  expect(statuses.get('valid 200') ?? 0).toBeGreaterThan(RUNS / 20);
  expect(statuses.get('nearly valid 400') ?? 0).toBeGreaterThan(RUNS / 20);
}, 600_000);

function resolved(response: Described['responses'][string] | undefined) {
  if (response?.$ref === undefined) return response ?? {};
  return api.components.responses[response.$ref.slice('#/components/responses/'.length)];
}
