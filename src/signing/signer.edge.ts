import { base64Bytes, base64Text, concat, utf8Bytes } from '../runtime/bytes.js';
import type { Signer, SignInput } from './signer.js';

export type { Signer, SignInput };

/** As the signer of Node, by Web Crypto, which gives promises. Keeps no secret and no key. */
export class HmacSigner implements Signer {
  async sign({ path, nonce, body, apiSecret }: SignInput): Promise<string> {
    if (apiSecret === undefined) throw new Error('the default signer needs an apiSecret');
    const { subtle } = crypto;
    const hmac = { name: 'HMAC', hash: 'SHA-512' };
    const key = await subtle.importKey('raw', base64Bytes(apiSecret), hmac, false, ['sign']);
    const hash = await subtle.digest('SHA-256', concat([utf8Bytes(nonce), ...(body === undefined ? [] : [body])]));
    // A path is sent as ASCII.
    const signature = await subtle.sign(hmac.name, key, concat([utf8Bytes(path), new Uint8Array(hash)]));
    return base64Text(new Uint8Array(signature));
  }
}
