/** Returns the number of runs of a property: all of them in CI, a fifth where a person waits for the result. */
export const runsOf = (all: number): number => (process.env['CI'] ? all : Math.ceil(all / 5));
