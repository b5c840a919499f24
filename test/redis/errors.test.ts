import { expect, it } from 'vitest';
import * as main from '../../src/index.js';
import {
  ConfigurationError,
  isPartnerError,
  PartnerError,
  redisKeyLeases,
  redisNonces,
} from '../../src/redis/index.js';

const client = { eval: async () => null };

it.each([
  ['redisKeyLeases', redisKeyLeases],
  ['redisNonces', redisNonces],
])('what %s throws can be caught with what ./redis exports', (_, create) => {
  for (const run of [
    () => create({} as never),
    () => create(client as never, { ttl: 1 }),
    () => create(client as never, { tll: 1_000 } as never),
  ]) {
    expect(run).toThrow(ConfigurationError);
    expect(run).toThrow(PartnerError);
    try {
      run();
    } catch (error) {
      expect([isPartnerError(error), main.isPartnerError(error)]).toEqual([true, true]);
    }
  }
});
