import { expect, it } from 'vitest';
import {
  ConfigurationError,
  memoryReplayGuard,
  nodeWebhookHandler,
  signWebhook,
  verifyWebhook,
  webhookHandler,
} from '../../../src/webhooks/index.js';

const secret = Buffer.from('a signing secret').toString('base64');
const body = '{"type":"quote.executed","data":{}}';

it('a misspelled option is refused: the default tolerance would stay in force unseen', () => {
  const options = { body, headers: signWebhook({ body, secret }), secret };
  expect(verifyWebhook(options).type).toBe('quote.executed');
  const misspelled = { ...options, toleranceSecond: 5 };
  expect(() => verifyWebhook(misspelled)).toThrow(ConfigurationError);
  expect(() => verifyWebhook(misspelled)).toThrow(/toleranceSecond .*toleranceSeconds/);
});

it.each([
  ['verifyWebhook', verifyWebhook, 'toleranceSecond', 'toleranceSeconds'],
  ['signWebhook', signWebhook, 'timestampSecond', 'timestampSeconds'],
  ['webhookHandler', webhookHandler, 'onEvnt', 'onEvent'],
  ['nodeWebhookHandler', nodeWebhookHandler, 'maxBodyByte', 'maxBodyBytes'],
  ['memoryReplayGuard', memoryReplayGuard, 'limits', 'limit'],
] as const)('%s refuses an unknown option and names the one that is meant', (_, call, name, meant) => {
  const options = { [name]: 1 };
  expect(() => call(options as never)).toThrow(ConfigurationError);
  expect(() => call(options as never)).toThrow(new RegExp(`${name} is not an option: did you mean ${meant}\\?`));
});
