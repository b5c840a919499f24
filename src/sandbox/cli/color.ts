import type { WriteStream } from 'node:tty';

const CODES = { red: 31, green: 32, yellow: 33, cyan: 36, dim: 2 } as const;

export type Color = keyof typeof CODES;

/** Puts a text in a colour, or leaves it as it is. */
export type Paint = (color: Color, text: string) => string;

export const paint: Paint = (color, text) => `\u001b[${CODES[color]}m${text}\u001b[0m`;
export const plain: Paint = (_, text) => text;

/** `FORCE_COLOR` decides (`0` and `false` are no), else `NO_COLOR`, else whether it is a terminal that can. */
export function wantsColor(stream: Partial<Pick<WriteStream, 'isTTY'>>, environment: NodeJS.ProcessEnv): boolean {
  const { FORCE_COLOR: force, NO_COLOR: no, TERM: terminal } = environment;
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false';
  if (no !== undefined && no !== '') return false;
  return stream.isTTY === true && terminal !== 'dumb';
}
