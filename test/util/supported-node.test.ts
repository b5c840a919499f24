import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../src/errors.js';
import { pollutionAtLoad, tooOldNode } from '../../src/util/supported-node.js';

const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const oldest: string = engines.node.replace('>=', '');

describe('the check of Node’s version', () => {
  it.each(['0.12.18', '18.20.8', '20.0.0', '20.9.0', '20.18.0'])(
    'refuses %s, and says which one is needed',
    (version) => {
      expect(tooOldNode(version)).toBe(
        `partner-sdk needs Node ${oldest} or newer, this is Node ${version}: install a newer Node`,
      );
    },
  );

  it.each([oldest, '20.18.2', '20.19.0', '21.0.0', '22.0.0', '26.1.0', '27.0.0-nightly', '100.0.0'])(
    'takes %s',
    (version) => {
      expect(tooOldNode(version)).toBeUndefined();
    },
  );

  it('takes a runtime that names no version of Node', () => {
    expect(tooOldNode(undefined)).toBeUndefined();
  });
});

describe('members of Object.prototype with which Node cannot load its parts', () => {
  it.each(['get', 'set', 'value', 'writable', 'return'])('refuse to load by a ConfigurationError: %s', (name) => {
    Object.defineProperty(Object.prototype, name, Object.assign(Object.create(null), { configurable: true, value: 1 }));
    const error = pollutionAtLoad();
    Reflect.deleteProperty(Object.prototype, name);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ name: 'ConfigurationError', outcome: 'not_applied' });
    expect(error?.message).toContain(`Object.prototype has ${name}: partner-sdk cannot be loaded`);
  });

  it('are all that can be enumerated: helpers of bundlers take them for exports', () => {
    const description = Object.assign(Object.create(null), { configurable: true, enumerable: true, value: 1 });
    Object.defineProperty(Object.prototype, 'whatever', description);
    const error = pollutionAtLoad();
    Reflect.deleteProperty(Object.prototype, 'whatever');
    expect(error?.message).toContain('Object.prototype has whatever: partner-sdk cannot be loaded');
  });

  it('are none of the hidden others: a client that is made then names them', () => {
    Object.defineProperty(Object.prototype, 'skipChecks', Object.assign(Object.create(null), { configurable: true }));
    const error = pollutionAtLoad();
    Reflect.deleteProperty(Object.prototype, 'skipChecks');
    expect(error).toBeUndefined();
  });
});
