import type { KeyedWrite, PartnerClient, RequestOptions } from '../../../src/index.js';
import type { SandboxFixtures } from '../../../src/sandbox/index.js';
import { bitcoinAddress } from '../../sandbox/support/addresses.js';

/** What the calls of a phase are made with. */
export interface World {
  readonly phase: string;
  readonly seed: number;
  readonly fixtures: SandboxFixtures;
}

/** What the harness learns of a call that succeeded. */
export interface Answered {
  readonly attempts: number | undefined;
  readonly idempotencyKey: string | undefined;
  /** What the answer says, where it is not this call's; undefined: it is, or does not tell. */
  readonly foreign?: string | undefined;
}

/** How the client may repeat it: a read, a keyed write, a trade by its reference, a write without key, a DELETE. */
export type Repeats = 'read' | 'keyed' | 'trade' | 'bare' | 'delete';

export interface Kind {
  readonly weight: number;
  readonly repeats: Repeats;
  /** The name of the one effect that the write with this subject has, as `Service.effects` counts it. */
  readonly effect?: (world: World, subject: number) => string;
  /** What must exist beforehand. */
  readonly needs?: 'address' | 'quote' | 'funding';
  /** It sends more than one request. */
  readonly pages?: true;
  send(client: PartnerClient, world: World, subject: number, options: RequestOptions): Promise<Answered>;
}

interface Response {
  readonly attempts: number;
  readonly idempotencyKey: string | undefined;
}

interface Call {
  withResponse(): Promise<{ readonly data: unknown; readonly response: Response }>;
}

/** Characters that are shown of an answer that is another call's. */
const SHOWN = 200;

/** `own` is a text that no other call's answer has. */
async function whole(call: Call, own?: string): Promise<Answered> {
  const { data, response } = await call.withResponse();
  // An empty answer is nobody's.
  const said = data === undefined ? undefined : JSON.stringify(data);
  const isForeign = own !== undefined && said?.includes(JSON.stringify(own)) === false;
  const { attempts, idempotencyKey } = response;
  return { attempts, idempotencyKey, foreign: isForeign ? said?.slice(0, SHOWN) : undefined };
}

async function firstPage(page: PromiseLike<{ readonly response: Response }>): Promise<Answered> {
  const { attempts, idempotencyKey } = (await page).response;
  return { attempts, idempotencyKey };
}

/** An account keeps its newest 10,000 records of each kind: the subjects are spread over two. */
export const accountOf = ({ fixtures }: World, subject: number): string =>
  subject % 4 < 2 ? fixtures.accountId : fixtures.secondaryAccountId;

export const savedName = (subject: number): string => `saved ${subject}`;
export const oldName = (subject: number): string => `old ${subject}`;
export const newName = (subject: number): string => `new ${subject}`;
export const walletAddress = (subject: number): string => bitcoinAddress(subject);
/** Finer than any currency: no other quote has this amount. */
export const quoteAmount = (subject: number): string => `100.${String(subject + 1).padStart(9, '0')}1`;
/** No quote that is not a trade's has this amount. Small, so that the account can pay for all trades. */
export const tradeAmount = (subject: number): string => `1.${String(subject + 1).padStart(9, '0')}1`;
export const fundingId = (subject: number): string => `AB00000-CHAOS-${String(subject).padStart(6, '0')}`;
export const quoteId = (subject: number): string => `00000000-0000-4000-8000-${String(subject).padStart(12, '0')}`;

const path = (world: World, subject: number): string => `/v1/accounts/${accountOf(world, subject)}`;
const quoteBody = (amount: string) => ({
  from: { symbol: 'USD', type: 'fiat', amount },
  to: { symbol: 'BTC', type: 'crypto' },
});
const otp = '123456';

export const effects = {
  address: (name: string) => `address ${name}`,
  wallet: (address: string) => `wallet ${address}`,
  quote: (amount: string) => `quote of ${amount}`,
  trade: (amount: string) => `trade of ${amount}`,
  execution: (id: string) => `execution of ${id}`,
  deletion: (id: string) => `deletion of ${id}`,
};

type Group = Readonly<Record<string, Omit<Kind, 'repeats'>>>;

const reads: Group = {
  'users.get': {
    weight: 12,
    send: (client, { fixtures }, _subject, options) =>
      whole(client.users.get(fixtures.userId, options), fixtures.userId),
  },
  'assets.list': {
    weight: 11,
    send: (client, { fixtures }, subject, options) =>
      firstPage(client.users.assets.list(fixtures.userId, { page_size: 1 + (subject % 3) }, options)),
  },
  'quotes.get': {
    weight: 4,
    send: (client, { fixtures }, _subject, options) =>
      whole(client.accounts.quotes.get(fixtures.accountId, fixtures.quoteId, options), fixtures.quoteId),
  },
  'conversions.pages': {
    weight: 3,
    pages: true,
    async send(client, { fixtures }, subject, options) {
      let pages = 0;
      const listing = { prefetch: subject % 8 < 4, ...options };
      for await (const _page of client.accounts.onDemandConversions
        .list(fixtures.accountId, { page_size: 5 }, listing)
        .pages()) {
        if (++pages === 3) break;
      }
      return { attempts: undefined, idempotencyKey: undefined };
    },
  },
  /** No service reads such a head: what it refuses, and the connection it closes, must harm no other call. */
  oversized: {
    weight: 0.5,
    send: (client, { fixtures }, _subject, options) => {
      const headers = { ...options.headers, 'x-large': 'a'.repeat(20_000) };
      return whole(client.users.get(fixtures.userId, { ...options, headers }), fixtures.userId);
    },
  },
  'webhooks.list': {
    weight: 2,
    send: (client, _world, _subject, options) => firstPage(client.webhooks.list({}, options)),
  },
};

/** By the names of their operations: their idempotency keys are derived from them. */
const keyed = {
  'funds.withdrawalAddresses.save': {
    weight: 16,
    effect: (_world, subject) => effects.address(savedName(subject)),
    send: (client, world, subject, options) => {
      const body = {
        asset_symbol: 'BTC',
        method_id: world.fixtures.methodId,
        key: savedName(subject),
        address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
      };
      return whole(client.funds.withdrawalAddresses.save(accountOf(world, subject), body, options), savedName(subject));
    },
  },
  'funds.withdrawalAddresses.update': {
    weight: 8,
    needs: 'address',
    effect: (_world, subject) => effects.address(newName(subject)),
    send: (client, world, subject, options) => {
      const [account, body] = [accountOf(world, subject), { new_key: newName(subject) }];
      const call = client.funds.withdrawalAddresses.update(account, oldName(subject), body, options);
      return whole(call, newName(subject));
    },
  },
  'accounts.wallets.whitelist': {
    weight: 10,
    effect: (_world, subject) => effects.wallet(walletAddress(subject)),
    send: (client, world, subject, options) => {
      const body = { via: 'bitcoin', address: walletAddress(subject) };
      const password = subject % 8 < 4 ? otp : async () => otp;
      const call = client.accounts.wallets.whitelist(accountOf(world, subject), body, { ...options, otp: password });
      return whole(call, walletAddress(subject));
    },
  },
  'accounts.quotes.create': {
    weight: 10,
    effect: (_world, subject) => effects.quote(quoteAmount(subject)),
    send: (client, world, subject, options) => {
      const body = quoteBody(quoteAmount(subject));
      return whole(client.accounts.quotes.create(accountOf(world, subject), body, options), quoteAmount(subject));
    },
  },
  'accounts.quotes.execute': {
    weight: 6,
    needs: 'quote',
    effect: (_world, subject) => effects.execution(quoteId(subject)),
    send: (client, world, subject, options) =>
      whole(client.accounts.quotes.execute(accountOf(world, subject), quoteId(subject), options), quoteId(subject)),
  },
} satisfies Partial<Record<KeyedWrite, Group[string]>>;

/** A trade has the effect when one of its quotes is executed. */
const trades: Group = {
  trade: {
    weight: 3,
    pages: true,
    effect: (_world, subject) => effects.trade(tradeAmount(subject)),
    async send(client, world, subject, { idempotencyKey: _none, ...options }) {
      const amount = tradeAmount(subject);
      const reference = `${world.seed} ${world.phase} ${subject}`;
      const trading = { ...options, reference, accept: () => true };
      const { quote } = await client.accounts.quotes.trade(accountOf(world, subject), quoteBody(amount), trading);
      const isForeign = !quote.from.amount.eq(amount);
      return { attempts: undefined, idempotencyKey: undefined, foreign: isForeign ? JSON.stringify(quote) : undefined };
    },
  },
};

const bare: Group = {
  'bare whitelist': {
    weight: 3,
    effect: (_world, subject) => effects.wallet(walletAddress(subject)),
    send: (client, world, subject, options) => {
      const body = { via: 'bitcoin', address: walletAddress(subject) };
      const request = { method: 'POST', path: `${path(world, subject)}/wallets/whitelist`, body, otp } as const;
      return whole(client.request({ ...options, ...request }), walletAddress(subject));
    },
  },
  'bare quote': {
    weight: 3,
    effect: (_world, subject) => effects.quote(quoteAmount(subject)),
    send: (client, world, subject, options) => {
      const body = quoteBody(quoteAmount(subject));
      const request = { method: 'POST', path: `${path(world, subject)}/quotes`, body } as const;
      return whole(client.request({ ...options, ...request }), quoteAmount(subject));
    },
  },
};

const deletions: Group = {
  delete: {
    weight: 5,
    needs: 'funding',
    effect: (_world, subject) => effects.deletion(fundingId(subject)),
    send: (client, world, subject, options) =>
      whole(client.funds.addresses.delete(accountOf(world, subject), fundingId(subject), options)),
  },
};

function group(repeats: Repeats, kinds: Group): [string, Kind][] {
  return Object.entries(kinds).map(([name, kind]) => [name, { ...kind, repeats }]);
}

/** Every kind of call that is made, by its name. */
export const KINDS: ReadonlyMap<string, Kind> = new Map([
  ...group('read', reads),
  ...group('keyed', keyed),
  ...group('trade', trades),
  ...group('bare', bare),
  ...group('delete', deletions),
]);
