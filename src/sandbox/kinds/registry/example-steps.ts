import type { ExecutionTimes } from './execution-times.js';

/**
 * Names of steps for the command's help. They have their own file because the command is a small
 * bundle: the list of all steps would import every kind.
 */
export const EXAMPLE_STEPS = ['quote.finish', 'wallet.screen'] as const satisfies readonly (keyof ExecutionTimes)[];
