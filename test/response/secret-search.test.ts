import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SecretSearch } from '../../src/redaction/secret-search.js';

const WINDOW = 200;

/** Every place of the text that any secret covers, found one secret after the other. */
function covered(secrets: readonly string[], text: string): boolean[] {
  const hidden = [...text].map(() => false);
  for (const secret of secrets) {
    if (secret.length < 4) continue;
    for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
      hidden.fill(true, at, at + secret.length);
    }
  }
  return hidden;
}

const word = (least: number, most: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b'), minLength: least, maxLength: most });

describe('what is taken out of a text', () => {
  it('is what any of the secrets covers, however they overlap', () => {
    fc.assert(
      fc.property(fc.array(word(1, 12), { maxLength: 8 }), word(0, 60), (secrets, text) => {
        const hidden = covered(secrets, text);
        const left = [...text].filter((_, place) => !hidden[place]).join('');
        const shown = new SecretSearch(new Set(secrets), WINDOW).hide(text, false);
        expect(shown.replaceAll('[redacted]', '')).toBe(left);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is also the beginning of a secret that is cut off at the end', () => {
    fc.assert(
      fc.property(word(5, 20), fc.nat(19), (secret, length) => {
        const beginning = secret.slice(0, length % secret.length);
        const shown = new SecretSearch(new Set([secret]), WINDOW).hide(`-${beginning}`, true);
        expect(shown).toBe(beginning === '' ? '-' : '-[redacted]');
      }),
    );
  });

  it('is everything when there are more secrets than can be looked for', () => {
    const secrets = new Set(Array.from({ length: 25_001 }, (_, index) => `secret-${index}`));
    expect(new SecretSearch(secrets, WINDOW).hide('something else', false)).toBe('[redacted]');
    secrets.delete('secret-0');
    expect(new SecretSearch(secrets, WINDOW).hide('not secret-17 but', false)).toBe('not [redacted] but');
    const long = new Set(Array.from({ length: 5_000 }, (_, index) => `${index}`.padEnd(WINDOW + 1, '-')));
    expect(new SecretSearch(long, WINDOW).hide('something else', false)).toBe('something else');
    long.add('and one more that is long');
    expect(new SecretSearch(long, WINDOW).hide('something else', false)).toBe('[redacted]');
  });
});
