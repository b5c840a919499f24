import { expect, it } from 'vitest';
import { readOptions } from './options.js';

const command = (...args: readonly string[]) => {
  const { phases, commandFor } = readOptions(args);
  const [phase] = phases;
  return phase && commandFor(phase);
};

it('repeats a phase with the same seed, calls and processes', () => {
  expect(command()).toBe('npm run chaos -- --seed 1 --edge direct --phase one');
  const given = ['--edge', 'http2', '--short', '--calls', '50', '--processes', '2'];
  expect(command('--seed', '7', '--phase', 'four', ...given)).toBe(
    'npm run chaos -- --seed 7 --edge http2 --phase four --short --calls 50 --processes 2',
  );
  expect(command('--sabotage', 'timer')).toBe("npm run chaos -- --seed 1 --edge direct --phase one --sabotage 'timer'");
});

it('leaves phases with one process at one', () => {
  const { phases } = readOptions(['--processes', '3']);
  expect(phases.map(({ processes }) => processes)).toContain(3);
  expect(phases.find(({ name }) => name === 'one')?.processes).toBe(1);
});

it('runs every phase with each edge, or with one that is named', () => {
  const edges = (...args: readonly string[]) => readOptions(['--phase', 'one', ...args]).phases.map(({ edge }) => edge);
  expect(edges()).toEqual(['direct', 'serial', 'resending', 'http2']);
  expect(edges('--edge', 'all')).toEqual(['direct', 'serial', 'resending', 'http2']);
  expect(edges('--edge', 'serial')).toEqual(['serial']);
});

it('makes fewer calls in the short form', () => {
  const calls = (...args: readonly string[]) => readOptions(args).phases.reduce((sum, one) => sum + one.calls, 0);
  expect(calls('--short')).toBeLessThan(calls() / 5);
});

it('leaves phases of several processes out of the short form where an edge is', () => {
  const several = (edge: string) =>
    readOptions(['--short', '--edge', edge])
      .phases.filter(({ processes }) => processes > 1)
      .map(({ name }) => name);
  expect([several('direct'), several('serial'), several('http2')]).toEqual([['leases', 'shared'], [], []]);
});

it.each([
  [['--phase', 'none']],
  [['--edge', 'none']],
  [['--edge', 'direct', '--sabotage', 'swaps answers']],
  [['--seed', 'x']],
  [['--seed', '-1']],
  [['--calls', '0']],
  [['--processes', '1.5']],
  [['--sabotage', 'none']],
  [['--unknown']],
])('refuses %j', (args) => {
  expect(() => readOptions(args)).toThrow();
});
