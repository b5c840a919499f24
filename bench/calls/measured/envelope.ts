import { type MeasuredClient, measured } from './client.js';
import { PAGE_URL, QUOTE_PATH, WRITE_BODY, WRITE_PATH } from './requests.js';

/** As far as the evidence lies in it. */
interface Answer {
  readonly data: {
    readonly id?: string;
    readonly to?: { readonly amount?: string };
    readonly [index: number]: { readonly fees: { readonly to: { readonly amount: string } } };
  };
}

/** A client that gives the answer's whole body as it was parsed. */
export function envelopeClient(calls: {
  quote(): PromiseLike<unknown>;
  page(): PromiseLike<unknown>;
  write(): PromiseLike<unknown>;
}): MeasuredClient {
  return {
    quote: measured(calls.quote, (answer) => (answer as Answer).data.to?.amount),
    page: measured(calls.page, (answer) => (answer as Answer).data[24]?.fees.to.amount),
    write: measured(calls.write, (answer) => (answer as Answer).data.id),
  };
}

/** What a client sends that knows of HTTP alone. */
export interface BareRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

const READ = { accept: 'application/json' };
const WRITE = { accept: 'application/json', 'content-type': 'application/json' };

/** `send` gives the parsed body of a 200, and throws at any other status. */
export function bareClient(send: (request: BareRequest) => PromiseLike<unknown>): MeasuredClient {
  return envelopeClient({
    quote: () => send({ method: 'GET', path: QUOTE_PATH, headers: READ }),
    page: () => send({ method: 'GET', path: PAGE_URL, headers: READ }),
    write: () => send({ method: 'POST', path: WRITE_PATH, headers: WRITE, body: JSON.stringify(WRITE_BODY) }),
  });
}
