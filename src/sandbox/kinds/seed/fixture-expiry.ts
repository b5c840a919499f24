import type { SandboxFixtures } from './fixtures.js';

/** Name of the kind *quotes*. Its definition would import every kind into the command's bundle. */
const QUOTES = 'quotes';

interface Resources {
  get(kind: string, id: string): { readonly status?: string | undefined } | undefined;
}

/** Returns a sentence about the fixtures that expire. `isStill`: the clock is stopped. */
export function fixtureExpiryText({ quoteId }: SandboxFixtures, resources: Resources, isStill: boolean): string {
  const isOpen = isStill && resources.get(QUOTES, quoteId)?.status === 'offered';
  return isOpen
    ? 'Only the quote expires, 30 s after it was made: the clock is stopped.'
    : 'Only the quote expires, 30 s after it was made. POST …/quotes makes another.';
}
