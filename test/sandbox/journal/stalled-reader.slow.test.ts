import { expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/index.js';
import { openOverHttp1, readUntil } from '../support/event-text.js';

const ENTRIES = 100_000;
/** Kept entries, those of one batch, and what the sockets of a machine hold. */
const MOST_READ = 10_000 + 500 + 40_000;

test('a reader that stalls is told of the gap, and the sandbox holds no more for it than it keeps', async () => {
  const sandbox = createSandbox({ inspect: true });
  onTestFinished(() => sandbox.close());
  const { accountId } = sandbox.fixtures;
  const stream = await openOverHttp1(await sandbox.listen(), '?after=0&kinds=posting');
  for (let count = 0; count < ENTRIES; count += 1) {
    sandbox.accounts.setBalance(accountId, { symbol: 'USD', total: String(1 + (count % 2)) });
    // The sandbox sends as much as it can meanwhile.
    if (count % 250 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  const text = await readUntil(stream, new RegExp(`id: ${ENTRIES}\n.*\n\n`));
  const events = text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => JSON.parse(block.slice(block.indexOf('data: ') + 6)));
  expect(events.length).toBeLessThan(MOST_READ);
  const gaps = events.filter(({ kind }) => kind === 'gap');
  expect(gaps).toHaveLength(1);
  let last = 0;
  for (const event of events) {
    if (event.kind === 'gap') {
      expect(event.after).toBe(last);
      last = event.next - 1;
    } else {
      expect(event.seq).toBe(last + 1);
      last = event.seq;
    }
  }
  expect(last).toBe(ENTRIES);
});
