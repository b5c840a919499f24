import { expect, test } from 'vitest';
import { LIFECYCLES } from '../../../tools/tables/lifecycles.js';
import { DAY_MS, Driven, withoutTimes } from './support/driven.js';
import { WAYS } from './support/ways.js';

test.each(WAYS)('$name ends by moves as it does by time, and nothing is left to happen', async (way) => {
  const [moved, timed] = [await Driven.open(), await Driven.open()];
  const [id, other] = [await way.start(moved), await way.start(timed)];
  for (const path of way.moves) await moved.move(path, id);
  timed.partner.sandbox.advance(way.ms);
  const [now, then] = [await way.read(moved, id), await way.read(timed, other)];
  expect(now.status).toBe(way.end);
  expect(withoutTimes(now)).toEqual(withoutTimes(then));
  expect(await moved.money()).toEqual(await timed.money());
  expect(await moved.events()).toEqual(await timed.events());
  // No time of the natural way is left, neither on the agenda nor in what happens.
  expect(JSON.stringify(moved.partner.sandbox.snapshot()['clock'])).not.toContain(id);
  const before = [now, await moved.money(), await moved.events()];
  moved.partner.sandbox.advance(6 * DAY_MS);
  expect([await way.read(moved, id), await moved.money(), await moved.events()]).toEqual(before);
});

test.each(WAYS)(
  'every move of $name is refused once it has ended, and changes nothing',
  async ({ start, moves, read, end, name }) => {
    const driven = await Driven.open();
    const id = await start(driven);
    for (const path of moves) await driven.move(path, id);
    const before = [await read(driven, id), await driven.money(), await driven.events()];
    const kind = moves[0]?.split('/')[0] ?? '';
    const { states = {}, noun = '' } = LIFECYCLES[name.startsWith('an expected') ? 'expectedDeposits' : kind] ?? {};
    const all = new Set(Object.values(states).flat());
    expect(all.size).toBeGreaterThan(1);
    for (const move of all) {
      if (move === 'deposits.receive') continue;
      expect(await driven.refusal(move.replace('.', '/'), id)).toBe(`${move}: the ${noun} ${id} is ${end} already`);
    }
    expect([await read(driven, id), await driven.money(), await driven.events()]).toEqual(before);
  },
);
