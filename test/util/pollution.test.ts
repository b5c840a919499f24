import { afterEach, describe, expect, it } from 'vitest';
import { hidePollution } from '../../src/util/members.js';

const SYMBOL = Symbol('of an application');
const added: PropertyKey[] = [];

function add(name: PropertyKey, descriptor: PropertyDescriptor): void {
  added.push(name);
  Object.defineProperty(Object.prototype, name, { configurable: true, ...descriptor });
}

afterEach(() => {
  for (const name of added.splice(0)) Reflect.deleteProperty(Object.prototype, name);
});

describe('what others have put on Object.prototype', () => {
  it('is nothing: nothing is done', () => {
    expect(hidePollution()).toBeUndefined();
  });

  it.each<[string, PropertyKey, PropertyDescriptor]>([
    ['a member that can be enumerated', 'memo', { value: 'x', enumerable: true, writable: true }],
    ['a member that cannot', 'memo', { value: 'x', enumerable: false }],
    ['a getter', 'memo', { get: () => 'x' }],
    ['a symbol', SYMBOL, { value: 'x' }],
  ])('is away until it is put back as it was: %s', (_, name, descriptor) => {
    add(name, descriptor);
    const before = Object.getOwnPropertyDescriptor(Object.prototype, name);
    const putBack = hidePollution();
    expect(name in {}).toBe(false);
    expect(hidePollution()).toBeUndefined();
    putBack?.();
    expect(Object.getOwnPropertyDescriptor(Object.prototype, name)).toEqual(before);
  });

  it('is found also where a native member was taken away', () => {
    const native = Object.getOwnPropertyDescriptor(Object.prototype, '__lookupSetter__') as PropertyDescriptor;
    try {
      Reflect.deleteProperty(Object.prototype, '__lookupSetter__');
      expect(hidePollution()).toBeUndefined();
      add('memo', { value: 'x' });
      const putBack = hidePollution();
      expect('memo' in {}).toBe(false);
      putBack?.();
      expect('memo' in {}).toBe(true);
    } finally {
      Object.defineProperty(Object.prototype, '__lookupSetter__', native);
    }
  });
});
