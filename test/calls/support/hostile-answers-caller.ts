/**
 * A process that reads hostile answers and reports how each call ended, as one JSON value on stdout.
 * Arguments: address, API key, API secret, `responseValidation`, names of the bodies as JSON,
 * and how often each is asked for at once.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientOptions, PartnerClient, PartnerError } from '../../../src/index.js';

interface End {
  readonly operation: string;
  readonly body: string;
  /** `value`, or the name of the error. */
  readonly end: string;
  /** Bytes of the error as JSON; 0 for a value. */
  readonly size: number;
  readonly issues: number;
}

export interface Ended extends End {
  /** Longest stall of the event loop in ms while the answer was read. */
  readonly stall: number;
}

const [baseUrl = '', apiKey = '', apiSecret = '', mode = '', bodies = '[]', atOnce = '1'] = process.argv.slice(2);
const responseValidation = mode as ClientOptions['responseValidation'];
const client = new PartnerClient({ baseUrl, apiKey, apiSecret, maxRetries: 0, responseValidation });

const ID = 'an-id-of-anybody';
const OPERATIONS: Readonly<Record<string, (headers: Record<string, string>) => PromiseLike<unknown>>> = {
  get: (headers) => client.users.get(ID, { headers }),
  list: (headers) => client.webhooks.list({}, { headers }),
  container: (headers) => client.swap.assets.list({}, { headers }),
  portfolio: (headers) => client.accounts.portfolio.details(ID, {}, { headers }),
};

async function endOf(operation: string, body: string): Promise<End> {
  try {
    await OPERATIONS[operation]?.({ 'x-body': body });
    return { operation, body, end: 'value', size: 0, issues: 0 };
  } catch (error) {
    if (!(error instanceof PartnerError)) return { operation, body, end: String(error), size: 0, issues: 0 };
    const { length: issues = 0 } = (error as { issues?: readonly unknown[] }).issues ?? [];
    return { operation, body, end: error.name, size: JSON.stringify(error).length, issues };
  }
}

const delays = monitorEventLoopDelay({ resolution: 1 });
delays.enable();
const ends: Ended[] = [];
for (const body of JSON.parse(bodies) as string[]) {
  for (const operation of Object.keys(OPERATIONS)) {
    delays.reset();
    // It measures from its first turn on.
    await sleep(5);
    const made = await Promise.all(Array.from({ length: Number(atOnce) }, () => endOf(operation, body)));
    // The histogram has a stall once its own timer has run after it.
    await sleep(5);
    ends.push(...made.map((end) => ({ ...end, stall: delays.max / 1e6 })));
  }
}
await client.close();
process.stdout.write(JSON.stringify(ends));
