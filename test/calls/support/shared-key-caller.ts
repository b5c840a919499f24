/**
 * One of many processes that use an API key without coordination. Argument: the ms by which its clock is behind. It says
 * `ready`, and then answers each `Order` with a `Tally`.
 */
import { ApiError, type ClientOptions, PartnerClient, PartnerError } from '../../../src/index.js';

export type CallKind = 'read' | 'keyed write' | 'unkeyed write';

export interface Order {
  readonly options: ClientOptions;
  readonly kind: CallKind;
  /** Calls of the process, all at once or one after the other. */
  readonly calls: number;
  readonly atOnce: boolean;
  readonly userId: string;
  readonly accountId: string;
  readonly methodId: string;
}

/** The ends of the calls of one process, or of all. */
export interface Tally {
  readonly succeeded: number;
  /** `401 not_applied`, `TimeoutError unknown` and so on, each with its count. */
  readonly failed: Readonly<Record<string, number>>;
  /** Requests that were sent, as the client counts them. */
  readonly requests: number;
  /** Time in ms that the slowest call took. */
  readonly slowest: number;
}

const behind = Number(process.argv[2]);
const now = Date.now.bind(Date);
Date.now = () => now() - behind;

function callOf(client: PartnerClient, { kind, userId, accountId, methodId }: Order, name: string) {
  const document = { front_url: `https://documents.example.com/${name}` };
  const address = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
  if (kind === 'read') return client.users.get(userId);
  if (kind === 'unkeyed write') return client.users.verifications.submitUrl(userId, document);
  return client.funds.withdrawalAddresses.save(accountId, {
    asset_symbol: 'BTC',
    method_id: methodId,
    key: name,
    address,
  });
}

async function obey(order: Order): Promise<Tally> {
  const client = new PartnerClient(order.options);
  const failed: Record<string, number> = {};
  let [succeeded, requests, slowest] = [0, 0, 0];
  const callOnce = async (index: number) => {
    const begun = performance.now();
    try {
      const { response } = await callOf(client, order, `${process.pid}-${now()}-${index}`).withResponse();
      succeeded++;
      requests += response.attempts;
    } catch (error) {
      if (!(error instanceof PartnerError)) throw error;
      const what = `${error instanceof ApiError ? error.response.status : error.name} ${error.outcome}`;
      failed[what] = (failed[what] ?? 0) + 1;
      requests += error.attempts.count;
    }
    slowest = Math.max(slowest, performance.now() - begun);
  };
  const indexes = Array.from({ length: order.calls }, (_, index) => index);
  if (order.atOnce) await Promise.all(indexes.map(callOnce));
  else for (const index of indexes) await callOnce(index);
  await client.close();
  return { succeeded, failed, requests, slowest };
}

process.on('message', async (order: Order) => process.send?.(await obey(order)));
process.on('disconnect', () => process.exit());
process.send?.('ready');
