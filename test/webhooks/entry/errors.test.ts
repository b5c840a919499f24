import { expect, it } from 'vitest';
import * as main from '../../../src/index.js';
import {
  ConfigurationError,
  isPartnerError,
  PartnerError,
  signWebhook,
  verifyWebhook,
  WebhookVerificationError,
  webhookHandler,
} from '../../../src/webhooks/index.js';

const secret = Buffer.from('a signing secret').toString('base64');
const MISTAKES: readonly (readonly [string, () => unknown, new (...values: never[]) => Error])[] = [
  ['a wrong option of a handler', () => webhookHandler({ secret: '', onEvent: () => {} }), ConfigurationError],
  ['a wrong option of verifyWebhook', () => verifyWebhook({ body: '', headers: {}, secret: '' }), ConfigurationError],
  ['a wrong option of signWebhook', () => signWebhook({ body: '', secret: '' }), ConfigurationError],
  ['a body that is none', () => signWebhook({ body: {} as never, secret }), WebhookVerificationError],
  ['a delivery without signature', () => verifyWebhook({ body: '', headers: {}, secret }), WebhookVerificationError],
];

it.each(MISTAKES)('what ./webhooks throws for %s can be caught with what it exports', (_, run, ErrorClass) => {
  expect(run).toThrow(ErrorClass);
  expect(run).toThrow(PartnerError);
  try {
    run();
  } catch (error) {
    expect([isPartnerError(error), main.isPartnerError(error)]).toEqual([true, true]);
  }
});
