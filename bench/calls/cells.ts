import type { Shape } from './measured/client.js';

/** A shape of call at a number of calls in flight. */
export interface Cell {
  /** As `--cells` calls it. */
  readonly name: string;
  readonly title: string;
  readonly shape: Shape;
  readonly inFlight: number;
}

const QUOTE: Cell = { name: 'quote:64', title: 'quote, 64 in flight', shape: 'quote', inFlight: 64 };

export const CELLS: readonly Cell[] = [
  QUOTE,
  { name: 'write:64', title: 'write, 64 in flight', shape: 'write', inFlight: 64 },
  { name: 'page:64', title: 'page, 64 in flight', shape: 'page', inFlight: 64 },
  { name: 'quote:1', title: 'quote, one at a time', shape: 'quote', inFlight: 1 },
  { name: 'page:1', title: 'page, one at a time', shape: 'page', inFlight: 1 },
];

/** What is measured over TLS. */
export const TLS_CELLS: readonly Cell[] = [QUOTE];

/** @param names Separated by commas, for example `quote:64,page:1`. */
export function cellsNamed(names: string): readonly Cell[] {
  return names.split(',').map((name) => {
    const cell = CELLS.find((one) => one.name === name);
    if (cell === undefined) throw new Error(`no cell ${name}; there are ${CELLS.map(({ name }) => name).join(', ')}`);
    return cell;
  });
}
