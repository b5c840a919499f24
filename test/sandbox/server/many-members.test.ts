import { expect, test } from 'vitest';
import { askControl, openSandbox } from '../support/partner.js';

const members = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index.toString(36)}`, 1]));

test('of the unknown members of an open body, the first hundred are compared with known names', async () => {
  const partner = await openSandbox();
  const url = 'https://partner.example/hooks';
  const many = await partner.post('/v1/webhooks', { url, ...members(50_000) });
  expect(many.status).toBe(200);
  const message = 'has 49900 more unknown members, which were not checked';
  expect(partner.sandbox.journal.at(-1)?.warnings).toEqual([{ field: 'body', message }]);
  await partner.post('/v1/webhooks', { url, ...members(99), evnts: [] });
  const typo = { field: 'evnts', message: 'is not known: did you mean events?' };
  expect(partner.sandbox.journal.at(-1)?.warnings).toEqual([typo]);
});

test('a call of the control plane has at most 20,000 members, at any depth, and its refusal says so', async () => {
  const partner = await openSandbox();
  const refusal = [400, { message: 'the arguments have more than 20000 members' }];
  for (const argument of [members(20_001), { match: { deep: [members(15_000), members(15_000)] } }]) {
    const { status, error } = await askControl(partner, 'POST webhooks/register', [argument]);
    expect([status, error]).toEqual(refusal);
  }
  const { status, error } = await askControl(partner, 'POST webhooks/register', [members(19_000)]);
  expect([status, error]).not.toEqual(refusal);
});
