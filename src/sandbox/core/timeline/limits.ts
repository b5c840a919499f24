/** Default of the number of requests that the journal keeps, and of entries of the timeline. */
export const DEFAULT_LIMIT_ENTRIES = 10_000;

/** The timeline keeps no more entries than this, so that a page can hold all of them. */
export const MAX_LIMIT_ENTRIES = 100_000;
