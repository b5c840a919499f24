import type { Operation, Parameter } from '../../parts/forms/documents.js';
import { at, type Members } from '../../parts/forms/schema.js';
import { call } from '../../wire/api.js';
import type { SendOptions, SendResult } from '../../wire/sandbox.js';

type Part = Parameter['in'] | 'body';

/** The values of a form. */
export interface Draft {
  /** Parameters by name. Undefined ones are left out. */
  readonly path: Members;
  readonly query: Members;
  /** The sandbox fills in those that are left out. */
  readonly header: Members;
  /** The text that is sent. Undefined: none. */
  readonly body: string | undefined;
  /** Values that the page fills in until the user sets them. */
  readonly open: readonly Origin[];
}

/** The source of a form's value. */
export interface Origin {
  /** The parameter or member: `path` and `quote_id`, or `body` and `method_id`. */
  readonly place: readonly [part: Part, name: string];
  /** The kind of resources that it is an id of. Undefined: each id comes from `maker`. */
  readonly kind: string | undefined;
  /** Only resources in these states will do. Undefined: in any. */
  readonly states: readonly (string | undefined)[];
  /** The operation that gives an id if there is none. */
  readonly maker: string | undefined;
}

/** Puts a value at a parameter, or at a member of the body. */
export function withValue(draft: Draft, [part, name]: Origin['place'], value: unknown): Draft {
  if (part !== 'body') return { ...draft, [part]: { ...draft[part], [name]: value } };
  return { ...draft, body: JSON.stringify({ ...JSON.parse(draft.body ?? '{}'), [name]: value }, null, 2) };
}

/** Takes what the user has written. What they have set is not filled in any more. */
export function changed(draft: Draft, part: Part, value: unknown): Draft {
  const next = { ...draft, [part]: value };
  const isSame = ({ place }: Origin): boolean => place[0] !== part || at(next, place) === (at(draft, place) ?? '');
  return { ...next, open: draft.open.filter(isSame) };
}

/** Path and query as they are sent. */
function targetOf({ path }: Operation, draft: Draft): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(draft.path[name] ?? '')));
  const pairs = Object.entries(draft.query).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(String(one))}`),
  );
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
}

/** The request that the sandbox is asked to sign and send. */
export function optionsOf(operation: Operation, draft: Draft): SendOptions {
  const { body, header } = draft as Draft & { readonly header: Readonly<Record<string, string | undefined>> };
  return {
    method: operation.method,
    path: targetOf(operation, draft),
    body: body === undefined ? undefined : compact(body),
    apiKey: header['API-Key'],
    key: header['Idempotency-Key'],
    otp: header['API-Otp'],
  };
}

/**
 * Removes white space between the tokens of JSON. Any other text stays unchanged, so that the
 * service can reject it.
 */
function compact(text: string): string {
  try {
    JSON.parse(text);
    return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
  } catch {
    return text;
  }
}

export const send = (operation: Operation, draft: Draft): Promise<SendResult> =>
  call('requests/send', optionsOf(operation, draft));

/** Returns the text at a path of a response. */
export function idIn(
  { body }: Pick<SendResult, 'body'>,
  path: readonly (string | number)[] = ['data', 'id'],
): string | undefined {
  const found = path.reduce<unknown>(
    (value, name) => (value as Readonly<Record<string | number, unknown>> | undefined)?.[name],
    body,
  );
  return typeof found === 'string' ? found : undefined;
}
