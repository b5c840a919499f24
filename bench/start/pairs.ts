import { spawnSync } from 'node:child_process';
import { median } from '../figures.js';
import { commandOf } from '../processes.js';

/** A program that prints what its first answer took. */
export interface Program {
  /** The Node that runs it. */
  readonly command: string;
  readonly file: string;
  readonly args: readonly string[];
  /** What its answer must hold. */
  readonly evidence: string;
  /** Where Node keeps compiled code, from 22.1 on. */
  readonly cache?: string;
}

export interface Times {
  /** Milliseconds from the start of the process to the first right answer. */
  readonly milliseconds: number;
  /** Milliseconds of CPU time until then. */
  readonly cpu: number;
  /** Milliseconds from the start of the process to its end. */
  readonly whole: number;
}

/** Medians of a program, and of the ratio of ours to it in each round. */
export interface Figures {
  readonly times: Times;
  readonly ratio: Times;
}

/** Starts the programs in turn, and every other time in the opposite order. The first is ours. */
export function measureInTurn(programs: readonly Program[], rounds: number): Figures[] {
  // Twice: from then on files are in the cache of the disk, and compiled code where Node keeps it.
  for (const program of [...programs, ...programs]) run(program);
  const measured = Array.from({ length: rounds }, (_, round) => runAll(programs, round % 2 === 1));
  return programs.map((_, index) => {
    const own = measured.map(([first]) => first ?? NOTHING);
    const other = measured.map((times) => times[index] ?? NOTHING);
    return {
      times: each((key) => median(other.map((one) => one[key]))),
      ratio: each((key) => median(other.map((one, round) => (own[round] ?? NOTHING)[key] / one[key]))),
    };
  });
}

const NOTHING: Times = { milliseconds: Number.NaN, cpu: Number.NaN, whole: Number.NaN };

function runAll(programs: readonly Program[], isReversed: boolean): Times[] {
  if (!isReversed) return programs.map(run);
  return programs.toReversed().map(run).reverse();
}

function run({ command, file, args, evidence, cache }: Program): Times {
  const [start, ...rest] = commandOf('client', file, args, command);
  const env = { ...process.env, ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }) };
  const began = performance.now();
  const { status, stdout, stderr } = spawnSync(start, rest, { encoding: 'utf8', env, timeout: 60_000 });
  const whole = performance.now() - began;
  if (status !== 0) throw new Error(`${file}: ${stderr}`);
  const { answer, milliseconds, cpu } = JSON.parse(stdout) as Times & { answer: string };
  if (answer !== evidence) throw new Error(`${file}: ${answer}`);
  return { milliseconds, cpu, whole };
}

function each(of: (key: keyof Times) => number): Times {
  return { milliseconds: of('milliseconds'), cpu: of('cpu'), whole: of('whole') };
}
