export function unknownAnswer(): Error {
  return new Error(
    'Redis returned a reply that partner-sdk/redis does not know: check whether another version of it uses the same prefix',
  );
}

export function otherType(name: string, cause: unknown): Error {
  return new Error(
    `the record ${name} in Redis is of another type than those of partner-sdk/redis, so another program created it: give another ` +
      'prefix, or delete the record',
    { cause },
  );
}

export function recordAhead(name: string, floor: bigint): Error {
  return new Error(
    `the record ${name} in Redis allows nonces up to ${floor}, more than a day ahead of the clocks of this machine and of Redis: it is ` +
      'damaged, or the clock of a machine was far ahead. No nonce was used. If the service has never seen such a nonce, delete the record; ' +
      'otherwise the service rejects all lower nonces, and you need another API key',
  );
}

export function clockAhead(milliseconds: bigint): Error {
  return new Error(
    `the clock of this machine is ${milliseconds / 3_600_000n} hours ahead of the clock of Redis: nonces drawn from it could use up the API ` +
      'key for good. No nonce was used. Correct the clocks, for example by NTP',
  );
}

export function notGiven(acquireTimeout: number): Error {
  return new Error(
    `no API key was available for this call within ${acquireTimeout} ms (acquireTimeout): other processes hold it, or Redis waits ttl for a holder that ` +
      'it may have lost. Give the clients more API keys, run fewer processes, or lower keysPerProcess. A retry waits for the API key ' +
      'of the first attempt, because the service may store the idempotency keys of each API key separately',
  );
}
