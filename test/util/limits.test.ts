import { expect, it } from 'vitest';
import { redactor } from '../../src/redaction/redact.js';
import { nearestName } from '../../src/util/did-you-mean.js';

it.each([
  ['behind one level of escapes', (secret: string) => encodeURIComponent(secret), 'echo [redacted] end'],
  [
    'and not behind two',
    (secret: string) => encodeURIComponent(encodeURIComponent(secret)),
    'echo secret%252Fof%252Fthe%252Fcall end',
  ],
])('a secret is found %s', (_, escaped, shown) => {
  expect(redactor(['secret/of/the/call'])(`echo ${escaped('secret/of/the/call')} end`)).toBe(shown);
});

it('a secret of 4 characters is found, a shorter one is not', () => {
  expect(redactor(['abcd', 'xyz'])('abcd xyz')).toBe('[redacted] xyz');
});

it('a secret is found that begins within the 1,000 characters that are shown, and then no part of it is', () => {
  const redact = redactor(['secret/of/the/call', 'secret/of']);
  for (let length = 970; length <= 1_000; length++)
    expect(redact(`${'-'.repeat(length)}secret/of/the/call`)).toMatch(/^-+(\[redacted\]|\[[redact]*…|…)$/);
});

it('a secret that has half of a surrogate pair is found', () => {
  expect(redactor(['half \ud83d'])('a half \ud83d, half %EF%BF%BD')).toBe('a [redacted], half %EF%BF%BD');
});

it('64 characters of an unknown name are compared with the known ones', () => {
  const name = 'a'.repeat(64);
  expect(nearestName(`${name}${'b'.repeat(1_000_000)}`, [name])).toBe(name);
  expect(nearestName(`${'a'.repeat(10)}${'b'.repeat(54)}`, [name])).toBeUndefined();
});

it('no name is suggested for one that two known names end with', () => {
  expect(nearestName('key', ['apiKey', 'idempotencyKey'])).toBeUndefined();
});
