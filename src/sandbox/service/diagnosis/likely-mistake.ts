import { createHmac } from 'node:crypto';
import { type Hashed, HashedParts } from './hashed.js';
import { type Reading, readingsOf } from './received.js';
import { type Secret, secretsFor } from './secrets.js';
import { type Target, targetsFor } from './targets.js';
import { Budget, type Mistake, type WrongSignature } from './wrong-signature.js';

/** Minimum length in characters of a prefix that is recognised as a part of a signature. */
const MIN_PREFIX_LENGTH = 16;

/**
 * Returns a sentence with the mistake that produces exactly the received signature: one mistake
 * first, then combinations of two. Only a signature with the right secret reveals what was signed,
 * so a wrong secret matches nothing. The work is bounded for every request.
 */
export function likelyMistake(wrong: WrongSignature): string | undefined {
  return mistakeOfText(wrong) ?? new Search(wrong).run();
}

/** Finds mistakes that are visible without signing. */
function mistakeOfText({ received, expected, key, nonce }: WrongSignature): string | undefined {
  const { previous } = key;
  if (previous?.sign === received && previous.nonce !== nonce) return 'you sent the API-Sign of the previous request';
  const right = Buffer.from(expected).toString('base64');
  if (received.toLowerCase() === right.toLowerCase()) return 'you sent the signature in other case: base64 has both';
  if (hasFurtherCharacters(received, right)) return 'you sent the signature with further characters in it';
  const isBeginning = received.length >= MIN_PREFIX_LENGTH && right.startsWith(received);
  if (isBeginning && !right.startsWith(`${received}=`)) {
    return received.length % 64 === 0
      ? 'you sent only the first line of the signature: let base64 break no lines'
      : 'you sent only the beginning of the signature';
  }
  return undefined;
}

/** True for a text with characters before, within or after the signature other than blanks. */
function hasFurtherCharacters(received: string, right: string): boolean {
  let begin = 0;
  while (begin < right.length && received[begin] === right[begin]) begin += 1;
  const further = received.slice(begin, begin + received.length - right.length);
  return /^[^\s"'%]+$/.test(further) && received.endsWith(right.slice(begin));
}

const isCommon = (mistake: Mistake): boolean => mistake.isCommon === true;

class Search {
  readonly #budget = new Budget();
  readonly #wrong: WrongSignature;
  readonly #readings: readonly Reading[];
  readonly #algorithms: readonly string[];

  constructor(wrong: WrongSignature) {
    this.#wrong = wrong;
    this.#readings = readingsOf(wrong.received);
    this.#algorithms = [...new Set(this.#readings.map(({ algorithm }) => algorithm))];
  }

  run(): string | undefined {
    if (this.#readings.length === 0) return undefined;
    return this.#alone() ?? this.#inPairs();
  }

  #targets: readonly Target[] = [];
  #secrets: readonly Secret[] = [];
  readonly #hashed: Hashed[] = [];

  #alone(): string | undefined {
    const nothing = this.#signed();
    if (nothing !== undefined) return nothing;
    this.#targets = targetsFor(this.#wrong);
    for (const target of this.#targets) {
      const found = this.#signed({ target });
      if (found !== undefined) return found;
    }
    this.#secrets = secretsFor(this.#wrong);
    for (const secret of this.#secrets) {
      const found = this.#signed({ secret });
      if (found !== undefined) return found;
    }
    for (const hashed of new HashedParts(this.#wrong, this.#budget).all()) {
      const found = this.#signed({ hashed });
      if (found !== undefined) return found;
      if (isCommon(hashed)) this.#hashed.push(hashed);
    }
    return undefined;
  }

  #inPairs(): string | undefined {
    const targets = this.#targets.filter(isCommon);
    for (const secret of this.#secrets.filter(isCommon)) {
      for (const target of targets) {
        const found = this.#signed({ secret, target });
        if (found !== undefined) return found;
      }
      for (const hashed of this.#hashed) {
        const found = this.#signed({ secret, hashed });
        if (found !== undefined) return found;
      }
    }
    for (const target of targets) {
      for (const hashed of this.#hashed) {
        const found = this.#signed({ target, hashed });
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  /**
   * Signs with these mistakes. Returns them as a sentence if the result is the received signature.
   */
  #signed(mistakes: { secret?: Secret; target?: Target; hashed?: Hashed } = {}): string | undefined {
    const { secret, target, hashed } = mistakes;
    const { head, digest, key } = this.#wrong;
    const text = target?.text ?? head.target;
    const parts = hashed?.message(text) ?? [text, digest];
    for (const algorithm of this.#algorithms) {
      if (!this.#budget.allows(parts)) return undefined;
      const hmac = createHmac(algorithm, secret?.key ?? key.secret);
      for (const part of parts) hmac.update(part);
      const made = hmac.digest();
      const reading = this.#readings.find(({ bytes }) => bytes.equals(made));
      if (reading === undefined) continue;
      const clauses = [secret?.clause, target?.clause, hashed?.clause, reading.clause];
      return clauses.filter((clause) => clause !== undefined).join(', and ');
    }
    return undefined;
  }
}
