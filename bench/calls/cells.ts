import type { Shape } from '../measured/client.js';

/** A shape of call at a number of calls in flight. */
export interface Cell {
  /** As `--cells` and the tables call it. */
  readonly name: string;
  readonly title: string;
  readonly shape: Shape;
  readonly inFlight: number;
}

const TITLES: Readonly<Record<Shape, string>> = {
  quote: 'quote',
  write: 'write',
  page: 'page',
  gaps: 'page with gaps',
};

export const CELLS: readonly Cell[] = (['quote', 'write', 'page', 'gaps'] as const).flatMap((shape) => [
  { name: `${shape}:64`, title: `${TITLES[shape]}, 64 in flight`, shape, inFlight: 64 },
  { name: `${shape}:1`, title: `${TITLES[shape]}, one at a time`, shape, inFlight: 1 },
]);

export function cellNamed(name: string): Cell {
  const cell = CELLS.find((cell) => cell.name === name);
  if (cell === undefined) throw new Error(`no cell ${name}; there are ${CELLS.map(({ name }) => name).join(', ')}`);
  return cell;
}
