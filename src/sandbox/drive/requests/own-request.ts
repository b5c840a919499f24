import type { ApiKey } from '../../core/keys/api-keys.js';
import type { RequestHead } from '../../core/request/messages.js';
import { signatureOf } from '../../service/authenticate.js';
import type { DrivenService } from '../service/driven.js';

/** A request that the sandbox itself sends. */
interface OwnRequest extends Pick<RequestHead, 'method' | 'target' | 'origin' | 'cause'> {
  /** Headers by their lower-case names, without those of the signature. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array;
}

/** Signs a request, and lets the service process it. Others may use its nonce, too. */
export function sendOwn(
  { requests }: DrivenService,
  { apiKey, secret, nonces }: ApiKey,
  { headers, body: bytes, ...request }: OwnRequest,
): ReturnType<DrivenService['requests']['receive']> {
  const nonce = String((nonces.last ?? 0n) + 1n);
  const signature = {
    'api-key': apiKey,
    'api-nonce': nonce,
    'api-sign': signatureOf(secret, request.target, nonce, bytes),
  };
  const all = new Map([...headers, ...Object.entries(signature)]);
  const head = { ...request, header: (name: string) => all.get(name), headers: () => [...all].flat(), isOwn: true };
  return requests.receive(head, Promise.resolve({ kind: 'complete', bytes }));
}
