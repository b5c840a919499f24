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
    ? 'Of these, only the quote expires, 30 s after its creation. The clock is stopped.'
    : 'Of these, only the quote expires, 30 s after its creation. POST …/quotes creates another.';
}
