import { runInNewContext } from 'node:vm';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { labelOf } from '../../src/resources/labels.js';
import { operations } from '../../src/resources/operations.js';
import { makeDocuments } from '../../tools/openapi/build.js';

interface Item {
  readonly name: string;
  readonly request: { readonly method: string; readonly header: readonly { readonly key: string }[] };
}

const documents = await makeDocuments();
const collection = JSON.parse(documents.get('collection.json') ?? '');
const items: Item[] = collection.item.flatMap(({ item }: { item: Item[] }) => item);

test('the collection has a request of each operation', () => {
  const requests = items.map(({ name, request }) => `${request.method} ${name}`);
  expect(requests.sort()).toEqual(operations.map((one) => `${one.method} ${labelOf(one).title}`).sort());
});

test('a request that takes an idempotency key or a one-time password carries it', () => {
  const having = (key: string) =>
    items.filter(({ request }) => request.header.some((one) => one.key === key)).map(({ name }) => name);
  const titles = (is: (operation: (typeof operations)[number]) => boolean) =>
    operations.filter(is).map((one) => labelOf(one).title);
  expect(having('Idempotency-Key').sort()).toEqual(titles(({ retrySafety }) => retrySafety === 'keyed').sort());
  expect(having('API-Otp')).toEqual(titles(({ otp }) => otp === true));
});

test('the collection signs by one script, and holds no credentials', () => {
  expect(collection.event.map(({ listen }: { listen: string }) => listen)).toEqual(['prerequest', 'test']);
  expect(collection.event[0].script.exec.join('\n')).toContain('HmacSHA512');
  const secrets = collection.variable.filter(({ key }: { key: string }) => key.startsWith('api'));
  expect(secrets).toEqual([
    { key: 'apiKey', value: '' },
    { key: 'apiSecret', value: '' },
  ]);
});

/** What Postman tells a script of a request and its answer. */
interface Answered {
  readonly name: string;
  readonly status: number;
  readonly body: unknown;
}

/** Runs the script that checks answers, as Postman does. Returns the tests that fail. */
function failedChecks({ name, status, body }: Answered): string[] {
  const failed: string[] = [];
  const check = (title: string, run: () => void): void => {
    try {
      run();
    } catch {
      failed.push(title);
    }
  };
  const be = (isRight: boolean): void => {
    if (!isRight) throw new Error('wrong');
  };
  const have = {
    status: (wanted: number) => be(status === wanted),
    jsonSchema: (schema: object) => be(new Ajv({ strict: false }).validate(schema, body)),
  };
  const pm = { info: { requestName: name }, test: check, response: { to: { have } } };
  runInNewContext(collection.event[1].script.exec.join('\n'), { pm });
  return failed;
}

interface Described {
  readonly summary: string;
  readonly responses: { readonly 200: { readonly content?: { readonly 'application/json': { example: unknown } } } };
}

const paths: Record<string, Record<string, Described>> = JSON.parse(documents.get('openapi.json') ?? '').paths;
const described = Object.values(paths).flatMap((item) => Object.values(item));
const examples = described.flatMap(({ summary, responses }): [string, unknown][] => {
  const content = responses[200].content?.['application/json'];
  return content === undefined ? [] : [[summary, content.example]];
});

test.each(examples)('the collection takes the right answer of "%s", and no other', (name, body) => {
  expect(failedChecks({ name, status: 200, body })).toEqual([]);
  expect(failedChecks({ name, status: 503, body })).toEqual(['is answered 200']);
  expect(failedChecks({ name, status: 200, body: [] })).toEqual(['has the documented form']);
});

test('the collection finds a member that is missing or of another type, at any depth', () => {
  const [, example] = examples.find(([name]) => name === 'Get user') ?? [];
  const user = (example as { data: { status: object } }).data;
  const wrong = [
    { data: { ...user, accounts: 'main' } },
    { data: { ...user, status: { state: 'ok' } } },
    { data: { ...user, id: 5 } },
  ];
  for (const body of wrong) {
    expect(failedChecks({ name: 'Get user', status: 200, body })).toEqual(['has the documented form']);
  }
});
