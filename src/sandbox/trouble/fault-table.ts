import type { ConnectionAction, HttpAnswer } from '../core/request/messages.js';

/** Time at which a fault applies: before the effect of the request, or after it. */
export type When = 'before' | 'after';

/** The settings of a fault that change its answer. */
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
  /** One sentence for documents about what the client sees. */
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
   * Returns what the client sees instead of a successful answer.
   *
   * @internal
   */
  readonly replace: (answer: HttpAnswer, settings: FaultSettings) => ConnectionAction;
}

/** Default speed of a slow answer: most answers exceed a client's time limit. */
const BYTES_PER_SECOND = 10;

/** Speed of a slow answer in chaos: most clients still receive it within their time limits. */
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
    label: 'The connection breaks without an answer.',
    when: 'before',
    chaos: [BEFORE, AFTER],
    replace: () => ({ kind: 'reset' }),
  },
  timeout: {
    label: 'No answer ever comes.',
    when: 'before',
    chaos: [BEFORE, AFTER],
    replace: () => ({ kind: 'silence' }),
  },
  html: {
    label: 'The 502 page of a gateway, in HTML.',
    when: 'before',
    chaos: [BEFORE, AFTER],
    replace: (_, settings) => {
      const headers = { 'content-type': 'text/html', ...retryAfterHeader(settings) };
      return { kind: 'answer', answer: { status: 502, headers, body: GATEWAY_PAGE } };
    },
  },
  truncate: {
    label: "The connection breaks in the middle of a good answer's body.",
    when: 'after',
    chaos: [AFTER],
    replace: (answer) => ({ kind: 'cut', answer }),
  },
  empty: {
    label: 'A good answer without its body.',
    when: 'after',
    chaos: [AFTER],
    replace: (answer) => ({ kind: 'answer', answer: { ...answer, body: '' } }),
  },
  garbage: {
    label: 'A good answer whose body is not JSON.',
    when: 'after',
    chaos: [AFTER],
    replace: (answer) => ({ kind: 'answer', answer: { ...answer, body: '{"data": {"id": ' } }),
  },
  content_type: {
    label: 'A good answer that is labelled `text/html`.',
    when: 'after',
    chaos: [AFTER],
    replace: (answer) => {
      const headers = { ...answer.headers, 'content-type': 'text/html' };
      return { kind: 'answer', answer: { ...answer, headers } };
    },
  },
  slow: {
    label: 'The head of a good answer at once, its body byte by byte (`bytesPerSecond`).',
    when: 'after',
    chaos: [{ when: 'after', bytesPerSecond: CHAOS_BYTES_PER_SECOND }],
    replace: (answer, { bytesPerSecond = BYTES_PER_SECOND }) => ({ kind: 'slow', answer, bytesPerSecond }),
  },
});

/** Name of a kind of fault. */
export type FaultName = keyof typeof FAULTS;

export const FAULT_NAMES = Object.keys(FAULTS) as readonly FaultName[];

/** Returns the header `Retry-After`, if the fault has one. */
export function retryAfterHeader({ retryAfterSeconds }: FaultSettings): Readonly<Record<string, string>> {
  return retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
}
