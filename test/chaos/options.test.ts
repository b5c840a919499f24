import { expect, it } from 'vitest';
import { readOptions } from './options.js';

const command = (...args: readonly string[]) => {
  const { phases, commandFor } = readOptions(args);
  return commandFor(phases[0]?.name ?? '');
};

it('repeats a phase with the same seed, calls and processes', () => {
  expect(command()).toBe('npm run chaos -- --seed 1 --phase one');
  const given = ['--short', '--calls', '50', '--processes', '2'];
  expect(command('--seed', '7', '--phase', 'four', ...given)).toBe(
    'npm run chaos -- --seed 7 --phase four --short --calls 50 --processes 2',
  );
  expect(command('--sabotage', 'timer')).toBe("npm run chaos -- --seed 1 --phase one --sabotage 'timer'");
});

it('leaves phases with one process at one', () => {
  const { phases } = readOptions(['--processes', '3']);
  expect(phases.map(({ processes }) => processes)).toContain(3);
  expect(phases.find(({ name }) => name === 'one')?.processes).toBe(1);
});

it('makes fewer calls in the short form', () => {
  const calls = (...args: readonly string[]) => readOptions(args).phases.reduce((sum, one) => sum + one.calls, 0);
  expect(calls('--short')).toBeLessThan(calls() / 5);
});

it.each([
  [['--phase', 'none']],
  [['--seed', 'x']],
  [['--seed', '-1']],
  [['--calls', '0']],
  [['--processes', '1.5']],
  [['--sabotage', 'none']],
  [['--unknown']],
])('refuses %j', (args) => {
  expect(() => readOptions(args)).toThrow();
});
