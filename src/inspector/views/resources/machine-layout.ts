import type { StateMachine } from '../../../sandbox/drive/look/machines.js';

export interface Place {
  readonly column: number;
  readonly row: number;
}

/** Puts each state into a column behind those that lead to it. Ways that lead back do not count. */
export function placesOf({ states, initial, transitions }: StateMachine): ReadonlyMap<string, Place> {
  const depths = new Map(states.map((state) => [state, 0]));
  const visit = (state: string, depth: number, path: readonly string[]): void => {
    depths.set(state, Math.max(depth, depths.get(state) ?? 0));
    for (const { from, to } of transitions) {
      if (from === state && !path.includes(to)) visit(to, depth + 1, [...path, to]);
    }
  };
  for (const state of initial) visit(state, 0, [state]);
  const used = [...new Set(depths.values())].sort((a, b) => a - b);
  const rows = used.map(() => 0);
  const first = chainOf(transitions, depths);
  const ordered = [...first, ...states.filter((state) => !first.includes(state))];
  return new Map(
    ordered.map((state) => {
      const column = used.indexOf(depths.get(state) ?? 0);
      const row = rows[column] ?? 0;
      rows[column] = row + 1;
      return [state, { column, row }];
    }),
  );
}

/** The longest way, which is drawn as the first row: the last state, and those that lead to it. */
function chainOf(transitions: StateMachine['transitions'], depths: ReadonlyMap<string, number>): readonly string[] {
  const chain: string[] = [];
  let depth = Math.max(...depths.values());
  let state = [...depths].find(([, one]) => one === depth)?.[0];
  while (state !== undefined) {
    chain.push(state);
    depth -= 1;
    const last = state;
    state = transitions.find(({ from, to }) => to === last && depths.get(from) === depth)?.from;
  }
  return chain;
}

/** Measures in CSS pixels: along the ways, and across them. */
interface Measures {
  readonly length: number;
  readonly breadth: number;
  readonly column: number;
  readonly row: number;
}

const BOX_WIDTH = 134;
const BOX_HEIGHT = 26;
const [EDGE, TOP] = [4, 22];

/** The ways lead to the right. */
const LYING: Measures = { length: BOX_WIDTH, breadth: BOX_HEIGHT, column: 166, row: 44 };
/** The ways lead down: for a narrow page. */
const STANDING: Measures = { length: BOX_HEIGHT, breadth: BOX_WIDTH, column: 58, row: 146 };

/** The corner of a state: its place along the ways, and across them. */
const cornerOf = ({ column, row }: Place, measures: Measures): readonly [along: number, across: number] => [
  EDGE + column * measures.column,
  TOP + row * measures.row,
];

type Point = readonly [along: number, across: number];

/** Points of the line from one state to another: forward, beside the column, or back below. */
function lineOf(from: Place, to: Place, measures: Measures): readonly Point[] {
  const [x1, y1] = cornerOf(from, measures);
  const [x2, y2] = cornerOf(to, measures);
  const { length, breadth } = measures;
  const [right1, middle1, middle2] = [x1 + length, y1 + breadth / 2, y2 + breadth / 2];
  if (from.column < to.column) {
    if (from.row === to.row && to.column - from.column > 1) {
      // Over the states between.
      return [
        [right1 - 20, y1],
        [right1, y1 - 24],
        [x2, y2 - 24],
        [x2 + 20, y2],
      ];
    }
    return [
      [right1, middle1],
      [right1 + 20, middle1],
      [right1 + 8, middle2],
      [x2, middle2],
    ];
  }
  if (from.column === to.column) {
    const side = right1 + 12 + 12 * Math.abs(from.row - to.row);
    return [
      [right1, middle1],
      [side, middle1],
      [side, middle2],
      [x2 + length, middle2],
    ];
  }
  const [center1, center2, low] = [x1 + length / 2, x2 + length / 2, Math.max(y1, y2) + breadth + 26];
  return [
    [center1, y1 + breadth],
    [center1, low],
    [center2, low],
    [center2, y2 + breadth],
  ];
}

/** The drawing of a machine in CSS pixels. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly { readonly state: string; readonly x: number; readonly y: number }[];
  readonly lines: readonly { readonly from: string; readonly to: string; readonly path: string }[];
}

/** Room for lines at the right and below. */
const SIDE = 26;

export const BOX = { width: BOX_WIDTH, height: BOX_HEIGHT };

/** @param isStanding True if the ways lead down and not to the right. */
export function drawingOf(machine: StateMachine, isStanding = false): Drawing {
  const places = placesOf(machine);
  const all = [...places.values()];
  const measures = isStanding ? STANDING : LYING;
  const turned = ([along, across]: Point): Point => (isStanding ? [across, along] : [along, across]);
  const [width, height] = turned([
    EDGE * 2 + measures.length + Math.max(...all.map(({ column }) => column)) * measures.column + SIDE,
    TOP + measures.breadth + Math.max(...all.map(({ row }) => row)) * measures.row + SIDE,
  ]);
  return {
    width,
    height,
    boxes: Array.from(places, ([state, place]) => {
      const [x, y] = turned(cornerOf(place, measures));
      return { state, x, y };
    }),
    lines: machine.transitions.flatMap(({ from, to }) => {
      const [start, end] = [places.get(from), places.get(to)];
      if (start === undefined || end === undefined) return [];
      const [first, ...rest] = lineOf(start, end, measures).map((point) => turned(point).join(' '));
      return [{ from, to, path: `M${first}C${rest.join(' ')}` }];
    }),
  };
}
