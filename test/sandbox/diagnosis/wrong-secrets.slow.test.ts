import { test } from 'vitest';
import { expectNoName } from './support/send-signed.js';

test('no mistake is named for a wrong secret, whatever else is wrong, in more than 1,000 runs', async () => {
  await expectNoName(16);
});
