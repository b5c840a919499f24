/** Default number of requests that the journal keeps, and of entries that the timeline keeps. */
export const DEFAULT_LIMIT_ENTRIES = 10_000;

/** Maximum number of entries that the timeline keeps, so that a page can hold all of them. */
export const MAX_LIMIT_ENTRIES = 100_000;
