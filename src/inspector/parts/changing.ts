/** The kinds of entries that may tell of a changed resource. */
export const CHANGING = ['request', 'change', 'posting', 'timer', 'control', 'clock'] as const;
