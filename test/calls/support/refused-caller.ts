/**
 * A process with a small heap whose calls are refused with large answers. Reports, as one JSON value on stdout, each error and how long
 * the process was held up in one piece.
 * Arguments: address, API key, API secret, and the requests as JSON: `[[path, number of texts], …]`.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, PartnerClient, ResponseValidationError } from '../../../src/index.js';

export interface Refused {
  readonly path: string;
  readonly name: string;
  readonly code: string | undefined;
  readonly causes: number;
  /** Size of the error as JSON, in bytes. */
  readonly size: number;
  /** The longest time, in milliseconds, in which nothing else could run: the least of three calls, since the machine may be busy. */
  readonly heldUp: number;
}

const [baseUrl = '', apiKey = '', apiSecret = '', requests = '[]'] = process.argv.slice(2);
const client = new PartnerClient({ baseUrl, apiKey, apiSecret, maxRetries: 0, maxResponseBytes: 4 * 1024 * 1024 });

async function refuse(path: string, texts: number): Promise<Refused> {
  const body = { texts: Array.from({ length: texts }, (_, index) => `customer-${index.toString().padStart(6, '0')}`) };
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await sleep(20);
  const error: unknown = await client.request({ method: 'POST', path, body }).catch((thrown: unknown) => thrown);
  await sleep(20);
  delay.disable();
  if (!(error instanceof ApiError || error instanceof ResponseValidationError)) throw error;
  return {
    path,
    name: error.name,
    code: error instanceof ApiError ? error.code : undefined,
    causes: error instanceof ApiError ? error.causes.length : 0,
    size: Buffer.byteLength(JSON.stringify(error)),
    heldUp: delay.max / 1e6,
  };
}

const refusals: Refused[] = [];
for (const [path, texts] of JSON.parse(requests) as [string, number][]) {
  const [one, other, last] = [await refuse(path, texts), await refuse(path, texts), await refuse(path, texts)];
  refusals.push({ ...last, heldUp: Math.min(one.heldUp, other.heldUp, last.heldUp) });
}
await client.close();
process.stdout.write(JSON.stringify(refusals));
