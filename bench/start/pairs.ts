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
  /** Where Node keeps compiled code, with NODE_COMPILE_CACHE. */
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

/** Starts the programs in turn, and every other time in the opposite order. Returns the rounds of each. */
export function measureInTurn(programs: readonly Program[], rounds: number): Times[][] {
  // Twice: from then on files are in the cache of the disk, and compiled code where Node keeps it.
  for (const program of [...programs, ...programs]) run(program);
  const measured = Array.from({ length: rounds }, (_, round) => runAll(programs, round % 2 === 1));
  return programs.map((_, index) => measured.flatMap((times) => times[index] ?? []));
}

/** The median of the ratios of all rounds. */
export function ratioOf(ours: readonly Times[], others: readonly Times[], key: keyof Times): number {
  return median(ours.map((one, round) => one[key] / (others[round]?.[key] ?? Number.NaN)));
}

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
