import { createHash } from 'node:crypto';
import { type BodyForm, jsonForms } from './json-forms.js';
import type { Budget, Mistake, Parts, WrongSignature } from './wrong-signature.js';

/** A text that a client may have signed. Only the path is missing. */
export interface Hashed extends Mistake {
  /** Returns the complete text. */
  message(target: string): Parts;
}

/** Maximum length in bytes of a body that is reformatted; a longer one is tried only as it is. */
const MAX_WRITTEN_BYTES = 4 * 1024;

/** Maximum difference of a nonce that is tried. */
const MAX_NONCE_DISTANCE = 4;

/** Texts that languages produce for an empty body. */
const EMPTY_BODIES: readonly string[] = ['{}', 'null', '""', '[]', 'undefined', 'None', '\n'];

/** Separators that a client may put between nonce and body. */
const SEPARATORS: readonly (readonly [text: string, name: string])[] = [
  ['\n', 'a line break'],
  [':', 'a colon'],
  ['|', 'a vertical bar'],
  ['.', 'a dot'],
  [',', 'a comma'],
  [' ', 'a blank'],
  ['-', 'a hyphen'],
  ['_', 'an underscore'],
  ['&', 'an ampersand'],
];

/** Generates what a client may have hashed and signed instead of nonce and body. */
export class HashedParts {
  readonly #case: WrongSignature;
  readonly #budget: Budget;

  constructor(wrong: WrongSignature, budget: Budget) {
    this.#case = wrong;
    this.#budget = budget;
  }

  *all(): Generator<Hashed, void, undefined> {
    yield* this.#forms('', this.#case.digest);
    yield* this.#parts();
    yield* this.#nonces();
    yield* this.#bodies();
    yield* this.#places();
  }

  /** The hash as text instead of 32 bytes. */
  *#forms(before: string, digest: Uint8Array): Generator<Hashed, void, undefined> {
    const hex = Buffer.from(digest).toString('hex');
    const clause = `${before}you signed the hash as hex text, not as its 32 bytes`;
    yield { clause, message: (target) => [target, hex], isCommon: before === '' };
    if (before !== '') return;
    yield { clause, message: (target) => [target, hex.toUpperCase()] };
    const base64 = Buffer.from(digest).toString('base64');
    yield {
      clause: 'you signed the hash as base64 text, not as its 32 bytes',
      message: (target) => [target, base64],
    };
  }

  *#parts(): Generator<Hashed, void, undefined> {
    const { nonce, body, head } = this.#case;
    yield* this.#hash('you left the nonce out of the hash', [body], true);
    yield* this.#hash('you hashed the nonce after the body', [body, nonce], true);
    if (body.length > 0) yield* this.#hash('you left out the body', [nonce], true);
    const sha512 = this.#sha([nonce, body], 'sha512');
    if (sha512 !== undefined) {
      const clause = 'you hashed nonce and body with SHA-512, not with SHA-256';
      yield { clause, message: (target) => [target, sha512], isCommon: true };
    }
    for (const name of ['idempotency-key', 'api-otp', 'api-key']) {
      const value = head.header(name);
      if (value === undefined) continue;
      const clause = `you hashed the header ${name}, too`;
      yield* this.#hash(clause, [nonce, body, value]);
      yield* this.#hash(clause, [nonce, value, body]);
      yield* this.#hash(clause, [value, nonce, body]);
    }
    const { target, method } = head;
    const mark = target.indexOf('?');
    if (mark >= 0) {
      const query = this.#sha([nonce, target.slice(mark + 1)]);
      const clause = 'you signed the query as if it were the body';
      if (query !== undefined) yield { clause, message: () => [target.slice(0, mark), query] };
    }
    for (const parts of [
      [nonce, target, body],
      [target, nonce, body],
      [nonce, method, target, body],
    ]) {
      const whole = this.#sha(parts);
      if (whole !== undefined) yield { clause: 'you put the path into the hash', message: () => [whole] };
    }
  }

  *#nonces(): Generator<Hashed, void, undefined> {
    const { nonce, body, key } = this.#case;
    const previous = key.previous?.nonce;
    if (previous !== undefined && previous !== nonce) {
      yield* this.#hash('you signed with the nonce of the previous request', [previous, body], true);
    }
    const last = key.nonces.last?.toString();
    if (last !== undefined && last !== nonce) {
      yield* this.#hash('you signed with the highest nonce so far, and sent another', [last, body]);
    }
    for (const [separator, name] of SEPARATORS) {
      yield* this.#hash(`you hashed ${name} after the nonce`, [nonce, separator, body]);
    }
    const value = BigInt(nonce);
    const inexact = Number(value);
    for (const text of [inexact.toString(), BigInt(inexact).toString(), inexact.toExponential()]) {
      if (text !== nonce)
        yield* this.#hash('you signed with a nonce that lost digits as a floating-point number', [text, body]);
    }
    for (const factor of [1_000n, 1_000_000n, 1_000_000_000n]) {
      const clause = 'you signed with a nonce of another unit than you sent';
      yield* this.#hash(clause, [(value / factor).toString(), body]);
      yield* this.#hash(clause, [(value * factor).toString(), body]);
    }
    for (let distance = 1; distance <= MAX_NONCE_DISTANCE; distance += 1) {
      yield* this.#hash(`you signed with a nonce that is ${distance} below the one you sent`, [
        (value - BigInt(distance)).toString(),
        body,
      ]);
      yield* this.#hash(`you signed with a nonce that is ${distance} above the one you sent`, [
        (value + BigInt(distance)).toString(),
        body,
      ]);
    }
  }

  *#bodies(): Generator<Hashed, void, undefined> {
    const { nonce, body } = this.#case;
    if (body.length === 0) {
      for (const text of EMPTY_BODIES) {
        const clause =
          text === '\n' ? 'you hashed a line break after the nonce' : `you signed ${text} as the body, and sent none`;
        yield* this.#hash(clause, [nonce, text], text === '{}');
      }
      return;
    }
    const clause = 'you signed a line break at the end of the body';
    yield* this.#hash(clause, [nonce, body, '\n'], true);
    yield* this.#hash(clause, [nonce, body, '\r\n']);
    if (body.at(-1) === 10) {
      const end = body.at(-2) === 13 ? -2 : -1;
      yield* this.#hash('you signed the body without the line break at its end', [nonce, body.subarray(0, end)], true);
    }
    if (body.length > MAX_WRITTEN_BYTES) return;
    const text = Buffer.from(body).toString('utf8');
    for (const other of this.#texts(text)) yield* this.#hash(other.clause, [nonce, other.text], other.isCommon);
    const latin1 = Buffer.from(text, 'latin1');
    if (latin1.length !== body.length)
      yield* this.#hash('you signed the body in Latin-1, not in UTF-8', [nonce, latin1]);
  }

  *#texts(body: string): Generator<BodyForm, void, undefined> {
    const seen = new Set([body]);
    for (const form of jsonForms(body)) {
      if (seen.has(form.text)) continue;
      seen.add(form.text);
      yield form;
    }
  }

  /** Nonce, path and hash in another order, or without the hash. */
  *#places(): Generator<Hashed, void, undefined> {
    const { nonce, body, digest } = this.#case;
    const hash = this.#sha([body]);
    if (hash !== undefined) {
      const clause = 'you put the nonce outside the hash';
      yield { clause, message: (target) => [target, nonce, hash], isCommon: true };
      yield { clause, message: (target) => [nonce, target, hash] };
      yield { clause, message: (target) => [target, hash, nonce] };
    }
    yield { clause: 'you signed the hash before the path', message: (target) => [digest, target] };
    const clause = 'you signed nonce and body themselves, not their hash';
    yield { clause, message: (target) => [target, nonce, body] };
    yield { clause, message: (target) => [nonce, target, body] };
    yield { clause: 'you signed the path alone', message: (target) => [target] };
  }

  /** A hash of other parts: as bytes, and as text if the mistake is common. */
  *#hash(clause: string, parts: Parts, isCommon = false): Generator<Hashed, void, undefined> {
    const digest = this.#sha(parts);
    if (digest === undefined) return;
    yield { clause, message: (target) => [target, digest], isCommon };
    if (isCommon) yield* this.#forms(`${clause}, and `, digest);
  }

  #sha(parts: Parts, algorithm = 'sha256'): Buffer | undefined {
    if (!this.#budget.allows(parts)) return undefined;
    const hash = createHash(algorithm);
    for (const part of parts) hash.update(part);
    return hash.digest();
  }
}
