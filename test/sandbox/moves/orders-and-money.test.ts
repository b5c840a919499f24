import { describe, expect, test } from 'vitest';
import { METHODS } from '../../../src/sandbox/serve/control/control-routes.js';
import { LIFECYCLES } from '../../../tools/tables/lifecycles.js';
import { bodies } from '../support/partner.js';
import { DAY_MS, Driven } from './support/driven.js';
import { onchain, pathOf, transferred, WAYS } from './support/ways.js';

test('each move of the table is called over HTTP, with the id first', () => {
  for (const [kind, { states, ...more }] of Object.entries(LIFECYCLES)) {
    const names = [...Object.values(states).flat(), ...('always' in more ? more.always : [])];
    expect(names, kind).not.toEqual([]);
    for (const name of names) expect(METHODS.get(name.replace('.', '/'))?.args[0], name).toMatch(/Id$/);
  }
});

test('what is under way goes on in a sandbox that continues from a snapshot, to the same end', async () => {
  const first = await Driven.open();
  const ids: string[] = [];
  for (const { start } of WAYS) ids.push(await start(first));
  const later = await first.restarted();
  for (const { partner } of [first, later]) partner.sandbox.advance(8 * DAY_MS);
  for (const [index, { read, end, name }] of WAYS.entries()) {
    const [here, there] = [await read(first, ids[index] ?? ''), await read(later, ids[index] ?? '')];
    expect(there, name).toEqual(here);
    expect(there.status, name).toBe(end);
  }
  expect(await later.money()).toEqual(await first.money());
});

describe('A move that the state does not allow', () => {
  test('is refused with the state and what it allows', async () => {
    const driven = await Driven.open();
    const offered = await driven.quote();
    expect(await driven.refusal('quotes/settle', offered)).toBe(
      `quotes.settle: the quote ${offered} is offered; it allows quotes.expire, quotes.fail`,
    );
    const transfer = await transferred(driven);
    await driven.move('transfers/process', transfer);
    expect(await driven.refusal('transfers/process', transfer)).toBe(
      `transfers.process: the transfer ${transfer} is processing; it allows transfers.complete, transfers.fail`,
    );
  });

  test('names an unknown id and wrong arguments', async () => {
    const driven = await Driven.open();
    const paths = new Set(WAYS.flatMap(({ moves }) => moves))
      .add('priceTriggerSwaps/trigger')
      .add('onchainQuotes/offer');
    for (const path of paths) {
      expect(await driven.refusal(path, 'nobody')).toMatch(/: there is no .* nobody$/);
      expect(await driven.refusal(path, 5)).toMatch(/: \w+Id must be a string/);
      expect(await driven.refusal(path, {})).toMatch(/: \w+Id must be a string/);
      expect(await driven.refusal(path, '')).toMatch(/: \w+Id must have at least 1 character/);
    }
  });
});

describe('A quote', () => {
  test('expires now, and cannot be executed any more', async () => {
    const driven = await Driven.open();
    const id = await driven.quote();
    const now = new Date(driven.partner.sandbox.clock.now()).toISOString();
    expect(await driven.move('quotes/expire', id)).toMatchObject({ id, status: 'expired', expires_at: now });
    expect(await pathOf('quotes')(driven, id)).toMatchObject({ status: 'expired', expires_at: now });
    expect((await driven.partner.post(`${driven.partner.account}/quotes/${id}/execute`)).status).toBe(410);
  });

  test('that a conversion executes is settled with the conversion', async () => {
    const driven = await Driven.open();
    const quote = await driven.quote();
    const { id } = await driven.post(`${driven.partner.account}/conversions`, { swap_quote_id: quote });
    expect(await driven.refusal('quotes/settle', quote)).toContain(`the conversion ${id} executes the quote`);
    await driven.move('conversions/settle', id);
    expect((await pathOf('quotes')(driven, quote)).status).toBe('executed');
  });

  test('of a chain is offered before its time, and expires at once', async () => {
    const driven = await Driven.open();
    await driven.move('onchainQuotes/setPendingTime', 5_000);
    const id = await onchain(driven);
    const read = () => pathOf('onchain-quotes')(driven, id);
    expect((await read()).execution_details).toBeUndefined();
    expect(await driven.move('onchainQuotes/offer', id)).toMatchObject({ status: 'offered' });
    expect((await read()).execution_details).toBeDefined();
    expect(await driven.move('onchainQuotes/expire', id)).toMatchObject({ status: 'expired' });
    driven.partner.sandbox.advance(60_000);
    expect((await read()).status).toBe('expired');
  });
});

describe('A price-trigger swap', () => {
  const ordered = async (driven: Driven, amount = '100.00') => {
    const { trade, when } = bodies.priceTriggerSwap;
    const body = { when, trade: { ...trade, from: { ...trade.from, amount } } };
    return (await driven.post(`${driven.partner.account}/price-trigger-swaps`, body)).id;
  };
  const reached = (driven: Driven) => driven.move('prices/set', 'BTC', '60000');
  const kinds = async (driven: Driven) => (await driven.events()).map(([type]) => type);

  test('is made now at the present price, as if its own was reached', async () => {
    const [moved, timed] = [await Driven.open(), await Driven.open()];
    const ids = [await ordered(moved), await ordered(timed)] as const;
    await moved.move('prices/set', 'BTC', '60000.01');
    const made = await moved.move('priceTriggerSwaps/trigger', ids[0]);
    expect(made).toMatchObject({ status: 'completed', trade: { rate: { price: '60000.01' } } });
    await timed.move('prices/set', 'BTC', '60000.00');
    expect(await kinds(moved)).toEqual(['price_trigger_swap.executed']);
    expect(await kinds(timed)).toEqual(await kinds(moved));
    const before = await moved.money();
    await reached(moved);
    expect((await moved.money()).balances).toEqual(before.balances);
  });

  const [failed, cancelled] = ['price_trigger_swap.execution_failed', 'price_trigger_swap.cancelled'];

  test('that cannot be paid stays active when it is triggered', async () => {
    const driven = await Driven.open();
    const before = await driven.money();
    const made = await driven.move('priceTriggerSwaps/trigger', await ordered(driven, '99999999'));
    expect(made).toMatchObject({ status: 'active' });
    expect((await driven.money()).balances).toEqual(before.balances);
    expect(await kinds(driven)).toEqual([failed]);
  });

  test('fails, and is made by a trigger that comes before the next try, once', async () => {
    const driven = await Driven.open();
    const id = await ordered(driven);
    await driven.move('prices/set', 'BTC', '60000.01');
    expect(await driven.move('priceTriggerSwaps/fail', id)).toMatchObject({ status: 'active' });
    expect(await driven.move('priceTriggerSwaps/trigger', id)).toMatchObject({ status: 'completed' });
    driven.partner.sandbox.advance(600_000);
    expect(await kinds(driven)).toEqual([failed, 'price_trigger_swap.executed']);
  });

  test.each([
    ['cancel', 1, 'user_request', [cancelled]],
    ['fail', 3, 'system', [failed, failed, failed, cancelled]],
  ])('ends by %s, called %i times, with the code %s', async (name, times, code, events) => {
    const driven = await Driven.open();
    const [path, id] = [`priceTriggerSwaps/${name}`, await ordered(driven)];
    const before = await driven.money();
    for (let count = 1; count < times; count += 1) {
      expect(await driven.move(path, id)).toMatchObject({ status: 'active' });
    }
    expect(await driven.move(path, id)).toMatchObject({ status: 'cancelled', cancelled_reason: { code } });
    await reached(driven);
    expect(await kinds(driven)).toEqual(events);
    expect((await driven.money()).balances).toEqual(before.balances);
    expect(await driven.refusal(path, id)).toContain('is cancelled already');
  });
});
