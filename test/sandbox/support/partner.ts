import { afterAll, onTestFinished } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../src/sandbox/index.js';
import { signature } from '../../support/signature.js';
import { ADDRESSES } from './addresses.js';

/** How long `expect.poll` waits for what must come: a slow machine fails no test. */
export const PATIENCE = { timeout: 45_000 };

/** One request as a test describes it. */
export interface TestRequest {
  readonly method: string;
  readonly path: string;
  /** Sent as JSON; text and bytes are sent as they are. */
  readonly body?: unknown;
  /** Over and above the signed ones; `undefined` leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly nonce?: string | bigint;
}

/** A request whose line is `METHOD path`. */
export function requestOf(line: string, body?: unknown, headers: TestRequest['headers'] = {}): TestRequest {
  const [method = '', path = ''] = line.split(' ');
  return { method, path, body, headers };
}

/** Whitelists a wallet. */
export const whitelisting = ({ account }: Partner, headers: TestRequest['headers'] = {}): TestRequest =>
  requestOf(`POST ${account}/wallets/whitelist`, bodies.wallet, { 'API-Otp': '1', ...headers });

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
}

/** A partner that signs its requests itself: it has nothing of the client of this package. */
export class Partner {
  constructor(
    readonly sandbox: Sandbox,
    readonly url: string,
    readonly credentials = sandbox.credentials,
    readonly nonces = { last: 1_700_000_000_000_000_000n },
  ) {}

  get account(): string {
    return `/v1/accounts/${this.sandbox.fixtures.accountId}`;
  }

  nextNonce(): bigint {
    this.nonces.last += 1n;
    return this.nonces.last;
  }

  /** The request with its signed headers, ready for any transport. */
  signed({ method, path, body, headers = {}, nonce = this.nextNonce() }: TestRequest) {
    const bytes = bodyBytes(body);
    const all = {
      'API-Key': this.credentials.apiKey,
      'API-Nonce': String(nonce),
      'API-Sign': signature(this.credentials.apiSecret, path, String(nonce), bytes),
      ...(bytes === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    };
    const present = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return { method, path, bytes, headers: Object.fromEntries(present) as Record<string, string> };
  }

  async send(request: TestRequest, signal?: AbortSignal): Promise<Response> {
    const { method, path, bytes, headers } = this.signed(request);
    const init = { method, headers, ...(bytes ? { body: bytes } : {}), ...(signal ? { signal } : {}) };
    return fetch(this.url + path, init);
  }

  async call(request: TestRequest): Promise<TestAnswer> {
    const response = await this.send(request);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  }

  get(path: string, headers: TestRequest['headers'] = {}): Promise<TestAnswer> {
    return this.call({ method: 'GET', path, headers });
  }

  post(path: string, body?: unknown, headers: TestRequest['headers'] = {}): Promise<TestAnswer> {
    return this.call({ method: 'POST', path, body, headers });
  }
}

/** A listening sandbox for one test, which closes it at its end, and a partner of it. */
export async function openSandbox(options?: SandboxOptions): Promise<Partner> {
  const partner = await listening(options);
  onTestFinished(() => partner.sandbox.close());
  return partner;
}

/** A listening sandbox for all tests of a file, and a partner of it. */
export async function sharedSandbox(options?: SandboxOptions): Promise<Partner> {
  const partner = await listening(options);
  afterAll(() => partner.sandbox.close());
  return partner;
}

async function listening(options: SandboxOptions = {}): Promise<Partner> {
  const sandbox = createSandbox(options);
  const { url } = await sandbox.listen();
  return new Partner(sandbox, url);
}

export interface ControlAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
  readonly data?: any;
  readonly error?: { readonly message: string };
}

/** Asks the control plane of a partner's sandbox; text is sent as it is. */
export async function askControl(
  { url }: Pick<Partner, 'url'>,
  line: string,
  args?: unknown,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Promise<ControlAnswer> {
  const [method = '', path = ''] = line.split(' ');
  const body = args === undefined ? {} : { body: typeof args === 'string' ? args : JSON.stringify(args) };
  const answer = await fetch(`${url}/_sandbox/${path}`, { method, headers, ...body });
  return { status: answer.status, ...((await answer.json()) as object) };
}

function bodyBytes(body: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (body === undefined) return undefined;
  if (body instanceof Uint8Array) return new Uint8Array(body);
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}

/** The fields that a validation failure names. */
export function fieldsOf({ body }: TestAnswer): string[] {
  return body.error.causes.map(({ field }: { field: string }) => field);
}

/** Bodies that the service accepts. */
export const bodies = {
  user: {
    email: 'ada@customer.example',
    external_reference: 'customer-ada',
    phone: '+442071234567',
    full_name: { first_name: 'Ada', last_name: 'Byron' },
    nationalities: ['GB'],
    residence: { line1: '1 High St', city: 'London', postal_code: 'W1', country: 'GB' },
  },
  document: { type: 'identity_document', front_url: 'https://documents.example/ada/front.jpg' },
  quote: { from: { symbol: 'USD', type: 'fiat', amount: '100.00' }, to: { symbol: 'BTC', type: 'crypto' } },
  onchainQuote: {
    from: {
      symbol: 'USDC',
      type: 'stablecoin',
      amount: '100',
      wallet: { address: ADDRESSES.ethereum, network: 'ethereum' },
    },
    to: { symbol: 'AAPLx', type: 'xstock' },
  },
  /** Waits for a price below the present one. */
  priceTriggerSwap: {
    trade: { from: { symbol: 'USD', type: 'fiat', amount: '100.00' }, to: { symbol: 'BTC', type: 'crypto' } },
    when: {
      base: { symbol: 'BTC', type: 'crypto' },
      quote: { symbol: 'USD', type: 'fiat' },
      drops_to: '60000',
    },
  },
  conversion: {
    from: { asset: { symbol: 'USD', type: 'fiat', amount: '20.00' } },
    to: { asset: { symbol: 'BTC', type: 'crypto' } },
  },
  transfer: { from: { asset: { symbol: 'USD', type: 'fiat', amount: '5.00' } }, to: { tag: 'a friend' } },
  wallet: { via: 'bitcoin', address: ADDRESSES.bitcoin },
  address: (methodId: string, key: string) => ({
    asset_symbol: 'BTC',
    method_id: methodId,
    key,
    address: ADDRESSES.bitcoin,
  }),
};
