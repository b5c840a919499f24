import { parseArgs } from 'node:util';
import { EDGES } from './edge/edge.js';
import { PHASES, type Phase, shortCallsOf } from './plan/phases.js';
import { isSabotage, SABOTAGES, type Sabotage, SWAPS } from './worker/sabotage.js';

export interface RunOptions {
  readonly seed: number;
  readonly phases: readonly Phase[];
  /** How the workers are broken on purpose. */
  readonly sabotage: readonly Sabotage[];
  /** The executable of Bun or Deno that runs the workers; undefined: Node. */
  readonly runtime: string | undefined;
  /** The command that repeats one phase of it. */
  readonly commandFor: (phase: Phase) => string;
}

export const USAGE = `npm run chaos -- [options]

  --short          fewer calls and phases
  --seed N         what happens where; default 1
  --edge NAME      what stands before the service: ${EDGES.join(', ')} or all; default all
  --phase NAME     only this one: ${PHASES.map(({ name }) => name).join(', ')}
  --calls N        calls of each phase
  --processes N    processes of the phases that have several
  --runtime PATH   an executable of Bun or Deno that runs the workers; default: Node
  --sabotage WAY   breaks the workers, to see that it is found; more than once for several:
                   ${Object.keys(SABOTAGES).join(', ')}`;

/** Reads the command line. Throws an `Error` that says what is wrong. */
export function readOptions(args: readonly string[]): RunOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      short: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
      edge: { type: 'string', default: 'all' },
      phase: { type: 'string' },
      calls: { type: 'string' },
      processes: { type: 'string' },
      runtime: { type: 'string' },
      sabotage: { type: 'string', multiple: true, default: [] },
    },
  });
  const seed = wholeNumber('seed', values.seed, 0);
  const calls = values.calls === undefined ? undefined : wholeNumber('calls', values.calls, 1);
  const processes = values.processes === undefined ? undefined : wholeNumber('processes', values.processes, 1);
  const sabotage = values.sabotage.filter(isSabotage);
  if (sabotage.length < values.sabotage.length) throw new Error('there is no such sabotage');
  const edges = EDGES.filter((name) => values.edge === 'all' || name === values.edge);
  if (edges.length === 0) throw new Error(`there is no edge "${values.edge}"`);
  if (edges.includes('direct') && sabotage.includes(SWAPS)) throw new Error('no edge, no exchange: choose an --edge');
  const named = PHASES.filter(({ name }) => values.phase === undefined || name === values.phase);
  if (named.length === 0) throw new Error(`there is no phase "${values.phase}"`);
  const phases = edges
    .flatMap((edge) => named.map((phase) => ({ ...phase, edge })))
    .map((phase) => ({
      ...phase,
      calls: calls ?? (values.short ? shortCallsOf(phase, phase.edge) : phase.calls),
      // The copy of a request is refused, and its refusal may be all that comes back.
      rules: phase.edge === 'resending' ? { ...phase.rules, refusals: 'allowed' as const } : phase.rules,
      processes: phase.processes > 1 ? (processes ?? phase.processes) : 1,
    }))
    .filter((phase) => phase.calls > 0);
  const given = [
    ...(values.short ? ['--short'] : []),
    ...(values.calls === undefined ? [] : ['--calls', values.calls]),
    ...(values.processes === undefined ? [] : ['--processes', values.processes]),
    ...(values.runtime === undefined ? [] : ['--runtime', values.runtime]),
    ...sabotage.flatMap((way) => ['--sabotage', `'${way}'`]),
  ];
  const commandFor = ({ edge, name }: Phase) =>
    ['npm run chaos -- --seed', seed, '--edge', edge, '--phase', name, ...given].join(' ');
  return { seed, phases, sabotage, runtime: values.runtime, commandFor };
}

function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!/^[0-9]+$/.test(text) || !Number.isSafeInteger(value) || value < least) {
    throw new Error(`--${name} must be a whole number of ${least} or more`);
  }
  return value;
}
