import { expect, it } from 'vitest';
import { redactor } from '../../src/redaction/redact.js';
import { nearestName } from '../../src/util/did-you-mean.js';

it('a secret is found behind four levels of escapes, and not behind five', () => {
  const redact = redactor(['secret/of/the/call']);
  const escaped = (levels: number) => {
    let text = 'secret/of/the/call';
    for (let level = 0; level < levels; level++) text = encodeURIComponent(text);
    return text;
  };
  for (const levels of [1, 2, 3, 4]) expect(redact(`echo ${escaped(levels)}`)).toBe('echo [redacted]');
  expect(redact(`echo ${escaped(5)}`)).toContain(escaped(5));
});

it('64 characters of an unknown name are compared with the known ones', () => {
  const name = 'a'.repeat(64);
  expect(nearestName(`${name}${'b'.repeat(1_000_000)}`, [name])).toBe(name);
  expect(nearestName(`${'a'.repeat(10)}${'b'.repeat(54)}`, [name])).toBeUndefined();
});

it('no name is suggested for one that two known names end with', () => {
  expect(nearestName('key', ['apiKey', 'idempotencyKey'])).toBeUndefined();
});
