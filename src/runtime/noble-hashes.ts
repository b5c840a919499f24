/** Hashes without a promise, which Web Crypto does not have. */
export { hmac } from '@noble/hashes/hmac';
export { sha256 } from '@noble/hashes/sha2';
