/*
 * Why so carefully: HTTP/1.1 is plain here, while real links are TLS, whose MAC makes a broken connection of any altered
 * byte (as it does here for HTTP/2). An alteration that a receiver could take for something valid (another
 * Idempotency-Key, which is not signed; another digit in an amount of an answer) would be an effect that no client can
 * prevent, and that no real link has. So bytes become control characters, which neither HTTP heads nor JSON may contain:
 * status line, header names and values, lengths, and JSON text all fail to be read. Answers are altered anywhere,
 * requests in their first bytes alone: what is no request has no effect.
 */

/** Forbidden in heads and in JSON, inside strings, too. Not among them: tab, line feed, carriage return. */
const CONTROL = 0x01;

const LENGTH = 6;

/** A copy whose bytes from `place` on are none that HTTP or JSON could contain. */
export function garbled(chunk: Buffer, place = 0): Buffer {
  return Buffer.from(chunk).fill(CONTROL, place, Math.min(chunk.length, place + LENGTH));
}
