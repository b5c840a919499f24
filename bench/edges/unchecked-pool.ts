import { Pool } from 'undici';
import { signature } from '../../test/support/signature.js';
import type { Address } from './backend.js';
import { API_SECRET } from './sdk.js';

/** One for each of the callers that the benches have. */
const CONNECTIONS = 64;

/**
 * What a pool carries whose nonces nobody checks: it signs, and neither orders nor repeats nor checks what it is answered. The service must
 * take nonces in any order.
 */
export class UncheckedPool {
  readonly #pool: Pool;
  readonly #apiKey: string;
  #nonce = BigInt(Date.now()) * 1_000_000n;

  constructor({ url, ca }: Address, apiKey: string) {
    this.#pool = new Pool(url, { connections: CONNECTIONS, ...(ca === undefined ? {} : { connect: { ca } }) });
    this.#apiKey = apiKey;
  }

  /** The `data` of the answer; rejects when the status is not 200. */
  async request(method: 'GET' | 'POST', path: string, value?: object): Promise<unknown> {
    const body = value === undefined ? '' : JSON.stringify(value);
    const nonce = String(++this.#nonce);
    const headers = {
      'api-key': this.#apiKey,
      'api-nonce': nonce,
      'api-sign': signature(API_SECRET, path, nonce, Buffer.from(body)),
      'content-type': 'application/json',
    };
    const answer = await this.#pool.request({ method, path, headers, body: value === undefined ? null : body });
    const { data } = (await answer.body.json()) as { readonly data?: unknown };
    if (answer.statusCode !== 200) throw new Error(`status ${answer.statusCode}`);
    return data;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
