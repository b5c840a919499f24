import { expect, it, onTestFinished, vi } from 'vitest';
import { redactor } from '../../src/redaction/redact.js';
import { nearestName } from '../../src/util/did-you-mean.js';
import { runSafely } from '../../src/util/run-safely.js';

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

it('the warning of a failing function shows 300 characters of its error and 10 places of its stack', () => {
  const emit = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  onTestFinished(() => emit.mockRestore());
  const error = new Error('m'.repeat(1_000));
  error.stack = `Error: m\n${Array.from({ length: 30 }, (_, line) => `    at place ${line}`).join('\n')}`;
  runSafely(
    () => {
      throw error;
    },
    'a function of the test',
    {},
  );
  const [message, { detail }] = emit.mock.calls[0] as unknown as [string, { detail: string }];
  const shown = message.slice(message.indexOf('Error: m'));
  expect(shown).toBe(`Error: ${'m'.repeat(300 - 'Error: '.length)}…`);
  expect(detail.split('\n')).toHaveLength(10);
});

it('64 characters of an unknown name are compared with the known ones', () => {
  const name = 'a'.repeat(64);
  expect(nearestName(`${name}${'b'.repeat(1_000_000)}`, [name])).toBe(name);
  expect(nearestName(`${'a'.repeat(10)}${'b'.repeat(54)}`, [name])).toBeUndefined();
});
