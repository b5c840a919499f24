import * as z from 'zod/mini';
import { getRampCheckout, type RampCheckout, type RampCheckoutParams } from '../../../resources/ramp.js';
import type { Wire } from '../../../schema/types.js';
import { ALPHABETS } from '../../core/basics/random.js';
import { type Handler, handle } from '../../core/kind/handler.js';
import type { Asset } from '../../core/market/catalogue.js';
import { Money, written } from '../../core/money/money.js';
import { keep } from '../../core/mutations.js';
import type { RecordKind } from '../../core/records/records.js';
import type { State } from '../../core/records/state.js';
import type { HttpAnswer, RequestHead } from '../../core/request/messages.js';
import { badRequest, type Cause } from '../../core/request/refusal.js';
import { wrongForAsset, wrongOnNetwork } from '../shared/addresses/check-address.js';
import { limitsOf, rampSides, wrongSubdivision } from './limits.js';

type Query = Wire<RampCheckoutParams>;

/** Path prefix of checkout pages. No path of the API starts with it. */
const PAGES = '/checkout/';

/** The parameters of each checkout whose link was created. Its page shows them. */
export const rampCheckouts: RecordKind<Readonly<Record<string, unknown>>> = {
  name: 'rampCheckouts',
  limit: 1_000,
  schema: () => z.record(z.string(), z.unknown()),
};

export const rampCheckoutHandlers: readonly Handler[] = [
  handle<unknown, Query>(getRampCheckout, (state, { query, origin }) => {
    const { from, to } = rampSides(state.catalogue, query);
    const causes = [
      ...wrongAmount(query, from, to),
      ...wrongSubdivision(query),
      ...wrongLinks(query),
      ...wrongWallet(query, to),
    ];
    if (causes.length > 0) throw badRequest(...causes);
    const id = state.random.text(32, ALPHABETS.alphanumeric);
    keep(state, rampCheckouts, undefined, id, query);
    const data: Wire<RampCheckout> = { checkout_url: origin + PAGES + id, request_data: query };
    return { data };
  }),
];

function wrongAmount({ in_amount }: Query, from: Asset, to: Asset): Cause[] {
  if (in_amount === undefined) return [];
  const [minimum, maximum] = limitsOf(from, to).combined.from;
  if (new Money(in_amount).gte(minimum) && new Money(in_amount).lte(maximum)) return [];
  const [least, most] = [written(minimum, from.places), written(maximum, from.places)];
  return [{ field: 'in_amount', message: `must be from ${least} to ${most} ${from.symbol}` }];
}

function wrongLinks({ redirect_url, failure_url }: Query): Cause[] {
  return Object.entries({ redirect_url, failure_url }).flatMap(([field, url]) =>
    url === undefined || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))
      ? []
      : [{ field, message: 'must be an http or https URL' }],
  );
}

function wrongWallet({ wallet_address: address, network, memo }: Query, to: Asset): Cause[] {
  if (address === undefined) return [];
  if (network !== undefined) return wrongOnNetwork('wallet_address', address, network);
  const named = (cause: Cause): Cause => (cause.field === 'address' ? { ...cause, field: 'wallet_address' } : cause);
  return wrongForAsset(to, { address, memo }).map(named);
}

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** True for the page of a checkout, which needs no signature. */
export const isCheckout = ({ method, target }: Pick<RequestHead, 'method' | 'target'>): boolean =>
  method === 'GET' && target.startsWith(PAGES);

export function checkoutPage({ records }: State, { target }: RequestHead): HttpAnswer {
  const [path = ''] = target.split('?', 1);
  const asked = records.of(rampCheckouts).get(path.slice(PAGES.length));
  if (asked === undefined) return page(404, '<p>There is no such checkout.</p>');
  const rows = Object.entries(asked).map(
    ([name, value]) => `<tr><th>${escaped(name)}</th><td>${shown(value)}</td></tr>`,
  );
  const note = '<p>Nothing is paid here. This is what the checkout was asked for:</p>';
  return page(200, `${note}\n<table>\n${rows.join('\n')}\n</table>`);
}

function page(status: number, content: string): HttpAnswer {
  const title = 'Checkout of the sandbox';
  const head = `<head><meta charset="utf-8"><title>${title}</title></head>`;
  const body = `<!doctype html>\n<html lang="en">\n${head}\n<body>\n<h1>${title}</h1>\n${content}\n</body>\n</html>\n`;
  return { status, headers: PAGE_HEADERS, body };
}

const shown = (value: unknown): string => escaped(typeof value === 'string' ? value : JSON.stringify(value));

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
