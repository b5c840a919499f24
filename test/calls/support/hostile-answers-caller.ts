/**
 * A process that reads hostile answers and reports how each call ended, as one JSON value on stdout.
 * Arguments: address, API key, API secret, `responseValidation`, names of the bodies as JSON.
 */
import { type ClientOptions, PartnerClient, PartnerError } from '../../../src/index.js';

export interface Ended {
  readonly operation: string;
  readonly body: string;
  /** `value`, or the name of the error. */
  readonly end: string;
  /** Bytes of the error as JSON; 0 for a value. */
  readonly size: number;
  readonly issues: number;
}

const [baseUrl = '', apiKey = '', apiSecret = '', mode = '', bodies = '[]'] = process.argv.slice(2);
const responseValidation = mode as ClientOptions['responseValidation'];
const client = new PartnerClient({ baseUrl, apiKey, apiSecret, maxRetries: 0, responseValidation });

const ID = 'an-id-of-anybody';
const OPERATIONS: Readonly<Record<string, (headers: Record<string, string>) => PromiseLike<unknown>>> = {
  get: (headers) => client.users.get(ID, { headers }),
  list: (headers) => client.webhooks.list({}, { headers }),
  portfolio: (headers) => client.accounts.portfolio.details(ID, {}, { headers }),
};

async function endOf(operation: string, body: string): Promise<Ended> {
  try {
    await OPERATIONS[operation]?.({ 'x-body': body });
    return { operation, body, end: 'value', size: 0, issues: 0 };
  } catch (error) {
    if (!(error instanceof PartnerError)) return { operation, body, end: String(error), size: 0, issues: 0 };
    const { length: issues = 0 } = (error as { issues?: readonly unknown[] }).issues ?? [];
    return { operation, body, end: error.name, size: JSON.stringify(error).length, issues };
  }
}

const ends: Ended[] = [];
for (const body of JSON.parse(bodies) as string[])
  for (const operation of Object.keys(OPERATIONS)) ends.push(await endOf(operation, body));
await client.close();
process.stdout.write(JSON.stringify(ends));
