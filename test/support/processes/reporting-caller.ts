/**
 * A process that makes calls and reports how they ended, as one JSON value on stdout, together with what nobody caught: see
 * `reports.ts`.
 * Arguments: address, nonceOrder, repeats per call.
 */
import { type ClientOptions, PartnerClient, PartnerError } from '../../../src/index.js';
import { KINDS } from '../scene.js';

export interface CallEnd {
  readonly kind: string;
  /** `ok`, or the name of the error. */
  readonly end: string;
  readonly outcome: string | undefined;
  readonly count: number | undefined;
  readonly reasons: readonly string[];
}

export interface Report {
  readonly ends: readonly CallEnd[];
  readonly inFlight: number | undefined;
  readonly waiting: number | undefined;
  readonly uncaught: readonly string[];
}

const [baseUrl = '', nonceOrder = 'adaptive', maxRetries = '0'] = process.argv.slice(2);
const uncaught: string[] = [];
process.on('uncaughtException', (error) => uncaught.push(String(error)));
process.on('unhandledRejection', (error) => uncaught.push(String(error)));

const client = new PartnerClient({
  baseUrl,
  apiKey: 'key',
  apiSecret: Buffer.from('secret').toString('base64'),
  maxRetries: Number(maxRetries),
  nonceOrder: nonceOrder as ClientOptions['nonceOrder'],
  timeout: 8_000,
});

async function endOf(kind: (typeof KINDS)[number]): Promise<CallEnd> {
  try {
    const { response } = await kind.invoke(client).withResponse();
    return { kind: kind.name, end: 'ok', outcome: undefined, count: response.attempts, reasons: [] };
  } catch (error) {
    if (!(error instanceof PartnerError))
      return { kind: kind.name, end: String(error), outcome: undefined, count: undefined, reasons: [] };
    const { name, outcome, attempts } = error;
    const reasons = attempts.failures.map(({ reason }) => reason);
    return { kind: kind.name, end: name, outcome, count: attempts.count, reasons };
  }
}

// First one after the other, then all at once.
const ends: CallEnd[] = [];
for (const kind of KINDS) ends.push(await endOf(kind));
ends.push(...(await Promise.all(KINDS.map(endOf))));
await new Promise((resolve) => setTimeout(resolve, 50));
const [lane] = client.stats().lanes;
await client.close();
const report: Report = { ends, inFlight: lane?.inFlight, waiting: lane?.waiting, uncaught };
process.stdout.write(JSON.stringify(report));
