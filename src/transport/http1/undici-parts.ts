import * as undici from 'undici';

/** The used parts of undici: the class of one connection, and the errors. */
export type UndiciParts = Pick<typeof undici, 'Client' | 'errors'>;

/** Returns the parts. The build for Node loads no more than these, at the first use. */
export const undiciParts = (): UndiciParts => undici;
