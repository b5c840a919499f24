import { fetchTransport, PartnerClient } from 'partner-sdk';
import type { CurlRequest } from '../../util/shell.js';
import type { Setup } from '../environment.js';

/** A call of one method of the client, with all its arguments. */
export interface PlannedCall {
  readonly operation: string;
  readonly args: readonly unknown[];
}

/** Calls the method. It returns a promise, or a list. */
export function start(client: PartnerClient, { operation, args }: PlannedCall): unknown {
  const names = operation.split('.');
  const method = names.pop() ?? '';
  const owner = names.reduce<object>((inner, name) => Reflect.get(inner, name) as object, client);
  return Reflect.apply(Reflect.get(owner, method) as () => unknown, owner, args);
}

/**
 * Returns the signed request of a call, and sends nothing. Rejects with the client's error if the
 * input or the set-up is wrong.
 */
export async function rehearse(setup: Setup, call: PlannedCall): Promise<CurlRequest> {
  let caught: CurlRequest | undefined;
  const keep: typeof fetch = (url, { method = 'GET', headers, body } = {}) => {
    const text = body === undefined ? undefined : new TextDecoder().decode(body as Uint8Array);
    caught = { method, url: String(url), headers: Object.entries(headers ?? {}), body: text };
    return Promise.resolve(new Response(null, { status: 400 }));
  };
  const client = new PartnerClient({ ...setup, transport: fetchTransport({ fetch: keep }), maxRetries: 0 });
  try {
    await start(client, call);
  } catch (error) {
    if (caught === undefined) throw error;
  } finally {
    await client.close();
  }
  if (caught === undefined) throw new Error(`${call.operation} made no request`);
  return caught;
}
