import { expect, test } from 'vitest';
import { labelOf } from '../../src/resources/labels.js';
import { operations } from '../../src/resources/operations.js';
import { makeDocuments } from '../../tools/openapi/build.js';

interface Item {
  readonly name: string;
  readonly request: { readonly method: string; readonly header: readonly { readonly key: string }[] };
}

const collection = JSON.parse((await makeDocuments()).get('collection.json') ?? '');
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
  expect(collection.event).toHaveLength(1);
  expect(collection.event[0].script.exec.join('\n')).toContain('HmacSHA512');
  const secrets = collection.variable.filter(({ key }: { key: string }) => key.startsWith('api'));
  expect(secrets).toEqual([
    { key: 'apiKey', value: '' },
    { key: 'apiSecret', value: '' },
  ]);
});
