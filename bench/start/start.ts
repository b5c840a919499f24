import { join } from 'node:path';
import type { Client } from '../clients.js';
import { median } from '../lanes/figures.js';
import { repeatStarts, type Start } from './repeat.js';

/** How soon a process can use a client. */
export interface StartFigures {
  /** Milliseconds that the import of its package takes. */
  readonly importing: number;
  /** Milliseconds from the start of the process to the first right answer. */
  readonly firstAnswer: number;
  /** The median of ratios to the same of the floor with zod. */
  readonly firstAnswerRatio: number;
}

const FLOOR_WITH_ZOD = 'the floor, zod imported';
/** What partner-sdk depends on. */
const DEPENDENCIES = ['undici', 'zod/mini', 'decimal.js'];
const IMPORTED_DEPENDENCIES = `${DEPENDENCIES.join(', ')} imported`;

/** By client, and for the two things that they are held against. */
export function measureStart(
  floor: Client,
  clients: readonly Client[],
  origin: string,
  times: number,
): ReadonlyMap<string, Partial<StartFigures>> {
  const imports = repeatStarts(
    [importOf(IMPORTED_DEPENDENCIES, floor.project, DEPENDENCIES), ...clients.map(importOfClient)],
    times,
  );
  const withZod = { ...floor, name: FLOOR_WITH_ZOD, file: 'floor-with-zod' };
  const answers = repeatStarts(
    [withZod, ...clients].map((client) => firstAnswerOf(client, origin)),
    times,
  );
  const base = answers.get(FLOOR_WITH_ZOD) ?? [];
  const names = new Set([...imports.keys(), ...answers.keys()]);
  return new Map([...names].map((name) => [name, figures(imports.get(name), answers.get(name), base)]));
}

function figures(
  imports: readonly number[] | undefined,
  answers: readonly number[] | undefined,
  base: readonly number[],
): Partial<StartFigures> {
  return {
    ...(imports && { importing: median(imports) }),
    ...(answers && {
      firstAnswer: median(answers),
      firstAnswerRatio: median(answers.map((answer, time) => answer / (base[time] ?? Number.NaN))),
    }),
  };
}

const importOfClient = (client: Client) => importOf(client.name, client.project, [client.package]);

function importOf(name: string, project: string, packages: readonly string[]): Start {
  return { name, file: join(project, 'measured/import.js'), args: packages };
}

function firstAnswerOf({ name, project, file }: Client, origin: string): Start {
  return { name, file: join(project, 'measured/first-answer.js'), args: [file, origin] };
}
