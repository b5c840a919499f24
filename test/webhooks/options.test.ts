import { expect, it } from 'vitest';
import { ConfigurationError } from '../../src/core/errors.js';
import { signWebhook, verifyWebhook } from '../../src/webhooks/index.js';

const secret = Buffer.from('a signing secret').toString('base64');
const body = '{"type":"quote.executed","data":{}}';

it('a misspelled option is refused: the default tolerance would stay in force unseen', () => {
  const options = { body, headers: signWebhook({ body, secret }), secret };
  expect(verifyWebhook(options).type).toBe('quote.executed');
  const misspelled = { ...options, tolerence: 5 };
  expect(() => verifyWebhook(misspelled)).toThrow(ConfigurationError);
  expect(() => verifyWebhook(misspelled)).toThrow(/tolerence.*tolerance/);
});
