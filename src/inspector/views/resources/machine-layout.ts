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

const [WIDTH, HEIGHT, COLUMN, ROW, EDGE, TOP] = [134, 26, 166, 44, 4, 22];

/** The left upper corner of a state. */
const cornerOf = ({ column, row }: Place): readonly [x: number, y: number] => [EDGE + column * COLUMN, TOP + row * ROW];

/** The line from one state to another: forward, beside the column, or back below it. */
function lineOf(from: Place, to: Place): string {
  const [x1, y1] = cornerOf(from);
  const [x2, y2] = cornerOf(to);
  const [right1, middle1, middle2] = [x1 + WIDTH, y1 + HEIGHT / 2, y2 + HEIGHT / 2];
  if (from.column < to.column) {
    if (from.row === to.row && to.column - from.column > 1) {
      // Over the states between.
      return `M${right1 - 20} ${y1}C${right1} ${y1 - 24} ${x2} ${y2 - 24} ${x2 + 20} ${y2}`;
    }
    return `M${right1} ${middle1}C${right1 + 20} ${middle1} ${right1 + 8} ${middle2} ${x2} ${middle2}`;
  }
  if (from.column === to.column) {
    const side = right1 + 12 + 12 * Math.abs(from.row - to.row);
    return `M${right1} ${middle1}C${side} ${middle1} ${side} ${middle2} ${x2 + WIDTH} ${middle2}`;
  }
  const [center1, center2, low] = [x1 + WIDTH / 2, x2 + WIDTH / 2, Math.max(y1, y2) + HEIGHT + 26];
  return `M${center1} ${y1 + HEIGHT}C${center1} ${low} ${center2} ${low} ${center2} ${y2 + HEIGHT}`;
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

export const BOX = { width: WIDTH, height: HEIGHT };

export function drawingOf(machine: StateMachine): Drawing {
  const places = placesOf(machine);
  const all = [...places.values()];
  const corners = Array.from(places, ([state, place]) => {
    const [x, y] = cornerOf(place);
    return { state, x, y };
  });
  return {
    width: EDGE * 2 + WIDTH + Math.max(...all.map(({ column }) => column)) * COLUMN + SIDE,
    height: TOP + HEIGHT + Math.max(...all.map(({ row }) => row)) * ROW + SIDE,
    boxes: corners,
    lines: machine.transitions.flatMap(({ from, to }) => {
      const [start, end] = [places.get(from), places.get(to)];
      return start === undefined || end === undefined ? [] : [{ from, to, path: lineOf(start, end) }];
    }),
  };
}
