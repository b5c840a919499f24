import { ownMember } from '../util/members.js';

export type AnswerHeaders = Readonly<Record<string, string>>;

/** The content codings that are decoded, here or by the platform's `fetch`. */
const KNOWN = ['gzip', 'x-gzip', 'deflate', 'br'] as const;

export type KnownCoding = (typeof KNOWN)[number];

export const isKnownCoding = (name: string): name is KnownCoding => (KNOWN as readonly string[]).includes(name);

/** Returns the codings of a response in lower case, without `identity`. */
export function codingsOf(headers: AnswerHeaders): string[] {
  const named = ownMember(headers, 'content-encoding')?.toLowerCase().split(',') ?? [];
  return named.map((name) => name.trim()).filter((name) => name !== '' && name !== 'identity');
}

/** Says which coding of a response the client does not read; undefined if there is none. */
export function unknownCoding(headers: AnswerHeaders): string | undefined {
  const unknown = codingsOf(headers).find((name) => !isKnownCoding(name));
  return unknown === undefined ? undefined : `the response is encoded with ${unknown}, which the client does not read`;
}
