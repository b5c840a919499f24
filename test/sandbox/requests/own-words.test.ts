import { describe, expect, test } from 'vitest';
import { sharedSandbox } from '../support/partner.js';

const partner = await sharedSandbox();

const WRONG = [null, 5, 1.5, '', 'x', 'x'.repeat(300), [], [[]], {}, true];

describe('what breaks a rule of the sandbox is told in our words', () => {
  test.each([
    ['a list with text for a number', '/on-demand-conversions?page_size=many', 'page_size', 'must be a whole number'],
    ['a list with too many', '/on-demand-conversions?page_size=26', 'page_size', 'must be from 1 to 25'],
    ['an id that is too short', '/funds/bank-links/abc', 'bank_link_id', 'must have 4 to 128 characters, has 3'],
  ])('%s', async (_, path, field, message) => {
    const { status, body } = await partner.get(partner.account + path);
    expect(status).toBe(400);
    expect(body.error.causes).toEqual([{ field, message: expect.stringContaining(message) }]);
  });

  test('members of a body, whatever they are', async () => {
    const messages: string[] = [];
    for (const value of WRONG) {
      for (const body of [
        value,
        { from: value, to: value },
        { from: { symbol: value, type: value, amount: value }, to: {} },
      ]) {
        const answer = await partner.post(`${partner.account}/quotes`, body);
        messages.push(...(answer.body.error?.causes ?? []).map(({ message }: { message: string }) => message));
      }
    }
    expect(messages).toEqual(expect.arrayContaining(['is missing', 'must be an object, not a list']));
    expect(messages.join('\n')).not.toMatch(VALIDATOR);
  });

  test.each([
    'failQuote',
    'rejectAddress',
    'convert',
    'deposit',
    'setUserStatus',
    'registerWebhook',
    'updateWebhook',
    'rotateWebhookSecret',
    'fail',
    'chaos',
    'advance',
    'issueCredentials',
  ])('arguments of %s over the control plane', async (method) => {
    for (const value of [...WRONG, { from: {}, to: { type: 'x' }, url: 5, events: [], unknown: 1, overlap: -1 }]) {
      for (const args of [[value], [partner.sandbox.fixtures.accountId, value]]) {
        const answer = await fetch(`${partner.url}/_sandbox/${method}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(args),
        });
        const { error } = (await answer.json()) as { error?: { message: string } };
        expect(error?.message ?? '').not.toMatch(VALIDATOR);
      }
    }
  });
});

/** What zod says where nobody has told it our words. */
const VALIDATOR = /Invalid|Too (small|big)|expected|received|Unrecognized|pattern/;
