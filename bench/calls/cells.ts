import type { Shape } from './measured/client.js';

/**
 * The age of a process when it is measured. `warm`: its calls get no cheaper. `young`: it has made some thousand calls of
 * one shape, and V8 still compiles.
 */
export const AGES = ['warm', 'young'] as const;
export type Age = (typeof AGES)[number];

/** A shape of call at a number of calls in flight, in processes of one age. */
export interface Cell {
  /** As `--cells` calls it, behind `young:` in a young process. */
  readonly name: string;
  readonly title: string;
  readonly age: Age;
  readonly shape: Shape;
  readonly inFlight: number;
}

const TITLES: Readonly<Record<Shape, string>> = {
  quote: 'quote',
  write: 'write',
  page: 'page',
  gaps: 'page with gaps',
};

const SHAPES_OF: Readonly<Record<Age, readonly Shape[]>> = {
  warm: ['quote', 'write', 'page', 'gaps'],
  young: ['quote', 'write', 'page'],
};

export const CELLS: readonly Cell[] = AGES.flatMap((age) =>
  SHAPES_OF[age].flatMap((shape) => [
    { name: nameOf(age, shape, 64), title: `${TITLES[shape]}, 64 in flight`, age, shape, inFlight: 64 },
    { name: nameOf(age, shape, 1), title: `${TITLES[shape]}, one at a time`, age, shape, inFlight: 1 },
  ]),
);

function nameOf(age: Age, shape: Shape, inFlight: number): string {
  return `${age === 'young' ? 'young:' : ''}${shape}:${inFlight}`;
}

/** @param name For example `quote:64`: the cells of both ages. */
export function cellsNamed(name: string): readonly Cell[] {
  const cells = CELLS.filter((cell) => cell.name === name || cell.name === `young:${name}`);
  if (cells.length === 0) throw new Error(`no cell ${name}; there are ${CELLS.map(({ name }) => name).join(', ')}`);
  return cells;
}
