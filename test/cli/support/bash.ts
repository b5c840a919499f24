/** A bash that reads no start-up file. It does where its input is a socket, as a child's is, and SHLVL is 0: it takes itself for a remote shell. */
export const bash = (...words: readonly string[]): [program: string, args: string[]] => ['bash', ['--norc', ...words]];
