import { spawnSync } from 'node:child_process';
import { median } from '../lanes/figures.js';
import { EVIDENCE } from '../measured/requests.js';
import { commandOf } from '../processes.js';

/** A program that prints what its first answer took. */
export interface Program {
  /** The Node that runs it. */
  readonly command: string;
  readonly file: string;
  readonly args: readonly string[];
  /** Where Node keeps compiled code, from 22.1 on. */
  readonly cache?: string;
}

interface Times {
  /** Milliseconds from the start of the process to the first right answer. */
  readonly milliseconds: number;
  /** Milliseconds of CPU time until then. */
  readonly cpu: number;
  /** Milliseconds from the start of the process to its end. */
  readonly whole: number;
}

/** Medians of both, and of the ratio of each pair. */
export interface Figures {
  readonly ours: Times;
  readonly bare: Times;
  readonly ratio: Times;
}

/** Both are started in turn, and every other time in the opposite order. */
export function measurePairs(ours: Program, bare: Program, count: number): Figures {
  // Twice: from then on files are in the cache of the disk, and compiled code where Node keeps it.
  for (const program of [ours, bare, ours, bare]) run(program);
  const measured = Array.from({ length: count }, (_, index) => pair(ours, bare, index % 2 === 1));
  return {
    ours: medians(measured.map(([own]) => own)),
    bare: medians(measured.map(([, other]) => other)),
    ratio: medians(measured.map(([own, other]) => each((key) => own[key] / other[key]))),
  };
}

function pair(ours: Program, bare: Program, isReversed: boolean): [Times, Times] {
  if (!isReversed) return [run(ours), run(bare)];
  const last = run(bare);
  return [run(ours), last];
}

function run({ command, file, args, cache }: Program): Times {
  const [start, ...rest] = commandOf('client', file, args, command);
  const env = { ...process.env, ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }) };
  const began = performance.now();
  const { status, stdout, stderr } = spawnSync(start, rest, { encoding: 'utf8', env, timeout: 60_000 });
  const whole = performance.now() - began;
  if (status !== 0) throw new Error(`${file}: ${stderr}`);
  const { answer, milliseconds, cpu } = JSON.parse(stdout) as Times & { answer: string };
  if (answer !== EVIDENCE.quote) throw new Error(`${file}: ${answer}`);
  return { milliseconds, cpu, whole };
}

const medians = (times: readonly Times[]): Times => each((key) => median(times.map((one) => one[key])));

function each(of: (key: keyof Times) => number): Times {
  return { milliseconds: of('milliseconds'), cpu: of('cpu'), whole: of('whole') };
}
