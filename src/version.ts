import { version } from '../package.json';

/** The package's version, as published. */
export const VERSION: string = version;
