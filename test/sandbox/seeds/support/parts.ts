import { createHash } from 'node:crypto';

/** The texts of one seed, by the part that they belong to. */
export class Parts {
  readonly #texts = new Map<string, string[]>();

  add(part: string, text: string): void {
    const texts = this.#texts.get(part);
    if (texts === undefined) this.#texts.set(part, [text]);
    else texts.push(text);
  }

  /** Each part as one text. */
  texts(): ReadonlyMap<string, string> {
    return new Map([...this.#texts].map(([part, texts]) => [part, texts.join('\n')]));
  }
}

/** 32 bits tell a difference well enough, and keep the files small. */
const DIGEST_LENGTH = 8;

export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, DIGEST_LENGTH);

/** A webhook is signed with the machine's time. */
export const withoutSignature = (text: string): string => text.replaceAll(/t=\d+,v1=[0-9a-f]{64}/g, 'signature');
