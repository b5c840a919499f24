import type { DirectPartner } from '../../support/direct-partner.js';
import type { TestRequest } from '../../support/partner.js';
import { type Parts, withoutSignature } from './parts.js';

/** Sends a request and adds its answer to a part. Returns the body of the answer. */
export async function ask(partner: DirectPartner, parts: Parts, part: string, request: TestRequest): Promise<Body> {
  const answer = await partner.send(request);
  const text = await answer.text();
  parts.add(part, `${request.method} ${request.path} ${answer.status} ${withoutSignature(text)}`);
  return text === '' ? {} : (JSON.parse(text) as Body);
}

/** Members that the next requests need. */
export interface Body {
  readonly data?: unknown;
  readonly next_page_token?: string;
}

/** Returns the text of a member of an object or of the items of a list. */
export const textsOf = ({ data }: Body, member: string): string[] =>
  (Array.isArray(data) ? data : [data]).flatMap((item: unknown) => {
    const value = (item as Record<string, unknown> | null | undefined)?.[member];
    return typeof value === 'string' ? [value] : [];
  });
