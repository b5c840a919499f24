import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tooOldNode } from '../../src/util/supported-node.js';

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
