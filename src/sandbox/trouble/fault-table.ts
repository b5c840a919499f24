import type { ConnectionAction, HttpAnswer } from '../core/request/messages.js';

/** Time at which a fault applies: before the effect of the request, or after it. */
export type When = 'before' | 'after';

/** The settings of a fault that change its response. */
interface FaultSettings {
  readonly retryAfterSeconds?: number | undefined;
  readonly bytesPerSecond?: number | undefined;
}

/** An entry of a fault in chaos. */
export interface ChaosFault extends FaultSettings {
  readonly when: When;
}

/** A named kind of fault. A new kind without one of these members does not compile. */
interface NamedFault {
  /** One sentence about what the client sees, for the documents and the page. */
  readonly label: string;
  /** Default of the option `when`. */
  readonly when: When;
  /**
   * Entries of the fault in `chaos`.
   *
   * @internal
   */
  readonly chaos: readonly ChaosFault[];
  /**
   * Returns what the client sees instead of a successful response.
   *
   * @internal
   */
  readonly replace: (answer: HttpAnswer, settings: FaultSettings) => ConnectionAction;
}

/** Default speed of a slow response: most responses then exceed the time limit of a client. */
const BYTES_PER_SECOND = 10;

/** Speed of a slow response in chaos: most clients still receive it within their time limits. */
const CHAOS_BYTES_PER_SECOND = 1_000;

const GATEWAY_PAGE = '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';

const BEFORE: ChaosFault = { when: 'before' };
const AFTER: ChaosFault = { when: 'after' };

function tableOf<Table extends Readonly<Record<string, NamedFault>>>(
  table: Table,
): { readonly [Name in keyof Table]: NamedFault } {
  return table;
}

/** All named kinds of faults. Types, rules, chaos, checks and documents follow from this table. */
export const FAULTS = tableOf({
  reset: {
    label: 'The connection breaks without a response.',
    when: 'before',
    chaos: [BEFORE, AFTER],
    replace: () => ({ kind: 'reset' }),
  },
  timeout: {
    label: 'No response ever arrives.',
    when: 'before',
    chaos: [BEFORE, AFTER],
    replace: () => ({ kind: 'silence' }),
  },
  html: {
    label: 'A gateway returns its 502 page in HTML.',
    when: 'before',
    chaos: [BEFORE, AFTER],
    replace: (_, settings) => {
      const headers = { 'content-type': 'text/html', ...retryAfterHeader(settings) };
      return { kind: 'answer', answer: { status: 502, headers, body: GATEWAY_PAGE } };
    },
  },
  truncate: {
    label: 'The connection breaks in the middle of the body of a successful response.',
    when: 'after',
    chaos: [AFTER],
    replace: (answer) => ({ kind: 'cut', answer }),
  },
  empty: {
    label: 'A successful response arrives without its body.',
    when: 'after',
    chaos: [AFTER],
    replace: (answer) => ({ kind: 'answer', answer: { ...answer, body: '' } }),
  },
  garbage: {
    label: 'A successful response has a body that is not valid JSON.',
    when: 'after',
    chaos: [AFTER],
    replace: (answer) => ({ kind: 'answer', answer: { ...answer, body: '{"data": {"id": ' } }),
  },
  content_type: {
    label: 'A successful response has the content type `text/html`.',
    when: 'after',
    chaos: [AFTER],
    replace: (answer) => {
      const headers = { ...answer.headers, 'content-type': 'text/html' };
      return { kind: 'answer', answer: { ...answer, headers } };
    },
  },
  slow: {
    label: 'The headers of a successful response arrive immediately, its body byte by byte (`bytesPerSecond`).',
    when: 'after',
    chaos: [{ when: 'after', bytesPerSecond: CHAOS_BYTES_PER_SECOND }],
    replace: (answer, { bytesPerSecond = BYTES_PER_SECOND }) => ({ kind: 'slow', answer, bytesPerSecond }),
  },
});

/** Name of a kind of fault. */
export type FaultName = keyof typeof FAULTS;

export const FAULT_NAMES = Object.keys(FAULTS) as readonly FaultName[];

export function retryAfterHeader({ retryAfterSeconds }: FaultSettings): Readonly<Record<string, string>> {
  return retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
}
