import type { Decimal } from './decimal.js';

/** In a worker, the size of the code counts more than the time of an amount. */
export const readShort: ((text: string) => Decimal | undefined) | undefined = undefined;
