import type { Shape } from '../measured/client.js';

/** A shape of call at a number of calls in flight. */
export interface Cell {
  readonly name: string;
  readonly shape: Shape;
  readonly inFlight: number;
}

export const CELLS: readonly Cell[] = (['quote', 'write', 'page'] as const).flatMap((shape) =>
  [64, 1].map((inFlight) => ({ name: `${shape}:${inFlight}`, shape, inFlight })),
);

export function cellNamed(name: string): Cell {
  const cell = CELLS.find((cell) => cell.name === name);
  if (cell === undefined) throw new Error(`no cell ${name}; there are ${CELLS.map(({ name }) => name).join(', ')}`);
  return cell;
}
