export function unknownAnswer(): Error {
  return new Error(
    'Redis gave an answer that partner-sdk/redis does not know: does another version use the same prefix?',
  );
}

export function otherType(name: string, cause: unknown): Error {
  return new Error(
    `the record ${name} in Redis is of another type than those of partner-sdk/redis, so another program has made it: give another ` +
      'prefix, or delete the record',
    { cause },
  );
}

export function recordAhead(name: string, floor: bigint): Error {
  return new Error(
    `the record ${name} in Redis speaks of nonces up to ${floor}, more than a day ahead of the clocks of this machine and of Redis: it is ` +
      'damaged, or the clock of a machine was far ahead. None was used. If the service has seen no such nonce, delete the record; ' +
      'otherwise the service takes nothing lower any more, and you need another API key',
  );
}

export function clockAhead(milliseconds: bigint): Error {
  return new Error(
    `the clock of this machine is ${milliseconds / 3_600_000n} hours ahead of the clock of Redis: nonces made by it could use up the API ` +
      'key for good. None was used. Set the clocks right',
  );
}

export function notGiven(acquireTimeout: number): Error {
  return new Error(
    `no API key for this call within ${acquireTimeout} ms (acquireTimeout): other processes hold it, or Redis waits ttl for a holder that ` +
      'it may have forgotten. Give the clients more API keys, run fewer processes, or lower keysPerProcess. A retry goes to the API key ' +
      'of the first attempt, whose idempotency keys the service may remember apart',
  );
}
