import type { ExecutionTimes } from './execution-times.js';

/**
 * Names of steps that the command's help shows. A file of its own: the command is a small bundle,
 * and the list of all steps would bring every kind with it.
 */
export const EXAMPLE_STEPS = ['quote.finish', 'wallet.screen'] as const satisfies readonly (keyof ExecutionTimes)[];
