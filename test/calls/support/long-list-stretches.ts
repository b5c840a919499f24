/** Stretches of a long list over which its memory is looked at, after a first one that warms up. */
export const STRETCHES = 7;
