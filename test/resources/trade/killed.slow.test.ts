import { describe, expect, it } from 'vitest';
import type { Trade } from '../../../src/index.js';
import { createSandbox, type Sandbox } from '../../../src/sandbox/index.js';
import { seeded } from '../../support/random.js';
import { end, underFakeTimers } from '../support/waiting.js';
import { Program } from './support/program.js';

underFakeTimers();

/** What the account has of the two assets. */
async function holdings(sandbox: Sandbox): Promise<{ USD: string; BTC: string }> {
  const { items } = await new Program(sandbox).client.accounts.portfolio.details(sandbox.fixtures.accountId);
  const of = (symbol: string) => items.find((entry) => entry.symbol === symbol)?.total.toFixed() ?? '0';
  return { USD: of('USD'), BTC: of('BTC') };
}

describe('quotes.trade', () => {
  it('killed anywhere, again and again, and made again, buys exactly once', async () => {
    const random = seeded(15);
    const upTo = (most: number) => Math.floor(random() * (most + 1));
    for (let run = 0; run < 200; run++) {
      const sandbox = createSandbox({ seed: run });
      const before = await holdings(sandbox);
      const asked: string[] = [];
      let last: Trade | undefined;
      for (let kills = 1 + upTo(2); last === undefined; kills--) {
        const [place, way] = [upTo(5), upTo(1) === 0 ? 'die before' : 'die after'] as const;
        const program = new Program(sandbox, (_, index) => (kills > 0 && index === place ? way : undefined));
        const stop = new AbortController();
        const ending = end(
          program.trade({ signal: stop.signal, timeout: 90_000 }).catch(() => undefined),
          95_000,
        );
        ({ value: last } = await ending);
        asked.push(...program.asked);
        if (upTo(4) === 0) sandbox.advance(31_000);
      }
      expect(last?.status).toBe('executed');
      expect(new Set(asked).size, `run ${run}`).toBe(asked.length);
      const after = await holdings(sandbox);
      const { from, to } = (last as Extract<Trade, { status: 'executed' }>).quote;
      expect([before.USD, before.BTC]).toEqual([
        from.amount.plus(after.USD).toFixed(),
        to.amount.neg().plus(after.BTC).toFixed(),
      ]);
      await sandbox.close();
    }
  }, 360_000);
});
