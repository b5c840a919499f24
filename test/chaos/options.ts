import { parseArgs } from 'node:util';
import { ANSWERS } from './answers/answers.js';
import { EDGES, type EdgeName, PHASE_NAMES, type Phase, phasesBehind } from './plan/phases.js';
import { isSabotage, SABOTAGES, type Sabotage } from './worker/sabotage.js';

export interface RunOptions {
  readonly seed: number;
  readonly phases: readonly Phase[];
  /** How long answers are given to the client; undefined leaves it out. */
  readonly answerSeconds: number | undefined;
  /** How the workers are broken on purpose. */
  readonly sabotage: readonly Sabotage[];
  /** The executable of Bun or Deno that runs the workers; undefined: Node. */
  readonly runtime: string | undefined;
  /** The options that repeat one part of it. */
  readonly repeat: (part: Pick<Phase, 'name'> & { readonly edge?: EdgeName }) => string;
}

export const USAGE = `npm run chaos -- [options]

  --short          fewer calls and phases
  --seed N         what happens where; default 1
  --edge NAME      what stands before the service: ${EDGES.join(', ')}; default: each in turn
  --phase NAME     only this one: ${[...PHASE_NAMES, ANSWERS].join(', ')}
  --calls N        calls of each phase
  --seconds N      how long kept and changed answers are given to the client; default 30, or 10
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
      edge: { type: 'string' },
      phase: { type: 'string' },
      calls: { type: 'string' },
      seconds: { type: 'string' },
      runtime: { type: 'string' },
      sabotage: { type: 'string', multiple: true, default: [] },
    },
  });
  const { short, edge, phase, calls, seconds, runtime } = values;
  const seed = Number(values.seed);
  for (const value of [seed, Number(calls ?? 1), Number(seconds ?? 1)]) {
    if (!Number.isSafeInteger(value) || value < 0) throw new Error('numbers are whole, and not below 0');
  }
  const sabotage = values.sabotage.filter(isSabotage);
  if (sabotage.length < values.sabotage.length) throw new Error('there is no such sabotage');
  const phases = EDGES.filter((name) => edge === undefined || name === edge)
    .flatMap((name) => phasesBehind(name, short && calls === undefined))
    .filter(({ name }) => phase === undefined || name === phase)
    .map((one) => (calls === undefined ? one : { ...one, calls: Number(calls) }));
  const hasAnswers = phase === ANSWERS || (phase === undefined && edge === undefined);
  if (phases.length === 0 && !hasAnswers) throw new Error(`there is no phase "${phase}" with the edge "${edge}"`);
  const given = [
    ...(short ? ['--short'] : []),
    ...Object.entries({ calls, seconds, runtime }).flatMap(([name, value]) => (value ? [`--${name}`, value] : [])),
    ...sabotage.flatMap((way) => ['--sabotage', `'${way}'`]),
  ];
  return {
    seed,
    phases,
    answerSeconds: hasAnswers ? Number(seconds ?? (short ? 10 : 30)) : undefined,
    sabotage,
    runtime,
    repeat: (part) =>
      ['--seed', seed, ...(part.edge === undefined ? [] : ['--edge', part.edge]), '--phase', part.name, ...given].join(
        ' ',
      ),
  };
}
