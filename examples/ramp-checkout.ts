/**
 * Creates a link to the hosted checkout, where a user pays with fiat money and receives crypto.
 *
 *     npx tsx examples/ramp-checkout.ts order-4711 100.00 USD BTC US CA
 *
 * The program starts the embedded sandbox. For another service, set PARTNER_BASE_URL,
 * PARTNER_API_KEY and PARTNER_API_SECRET.
 *
 * Exit codes: 0, the link is printed. 1, something went wrong, so start the program again. 2, this
 * order can't be paid by the checkout, and the reason is printed.
 */
import { pathToFileURL } from 'node:url';
import { BadRequestError, type Decimal, PartnerClient, RequestValidationError } from 'partner-sdk';
import { createSandbox } from 'partner-sdk/sandbox';

/** What a user of yours wants to buy. */
export interface Order {
  /** Id from your own books. The checkout's callbacks contain it, so you can match them. */
  readonly id: string;
  /** What the user pays, fees included, in `currency`. Plain decimal string. */
  readonly amount: string;
  /** For example `USD`. */
  readonly currency: string;
  /** For example `BTC`. */
  readonly asset: string;
  /** ISO 3166-1 alpha-2, for example `US`. */
  readonly country: string;
  /** ISO 3166-2 suffix, for example `CA`. Some countries need it. */
  readonly subdivision?: string | undefined;
}

/** A link, with what the user receives at the current price, or the reason why there is none. */
export type Checkout =
  | { readonly url: string; readonly receives: Decimal; readonly fees: Decimal | null }
  | { readonly rejected: string };

/** Your own fee, 1 %. */
const AFFILIATE_FEE_BPS = '100';
const DONE_URL = 'https://shop.example/orders/done';
const FAILED_URL = 'https://shop.example/orders/failed';

export async function checkoutFor(client: PartnerClient, order: Order): Promise<Checkout> {
  const { id, amount, currency, asset, country, subdivision } = order;
  if (!/^\d+(\.\d+)?$/.test(amount)) return { rejected: 'amount: must be a number such as 100.00' };
  // The checkout's parameters have the names of an older edition of the API than those of its
  // preview.
  const sides = { in_asset_symbol: currency, in_asset_type: 'fiat', out_asset_symbol: asset, country };
  try {
    const limits = await client.ramp.limits.get(sides);
    const { minimum, maximum } = limits.final_combined?.in_asset ?? {};
    if (minimum?.amount.gt(amount)) return { rejected: `at least ${minimum.amount} ${currency}` };
    if (maximum?.amount.lt(amount)) return { rejected: `at most ${maximum.amount} ${currency}` };

    const { from, to } = await client.rampQuotes.prospective({
      from_symbol: currency,
      from_amount: amount,
      to_symbol: asset,
      country,
      subdivision,
      affiliate_fee_bps: AFFILIATE_FEE_BPS,
    });
    // Null if the service couldn't say what is left after its fees.
    if (to.total === null || to.total.lte(0)) return { rejected: 'nothing is left after fees' };

    const { checkout_url: url } = await client.ramp.checkout.get({
      ...sides,
      in_amount: amount,
      subdivision,
      affiliate_fee_bps: AFFILIATE_FEE_BPS,
      external_transaction_id: id,
      redirect_url: DONE_URL,
      failure_url: FAILED_URL,
    });
    // Only an older edition documents the parameters, so the response may have no link.
    if (url === undefined || !URL.canParse(url)) throw new Error('the response has no link');
    return { url, receives: to.total, fees: from.fee };
  } catch (error) {
    const reasons = reasonsOf(error);
    if (reasons === undefined) throw error;
    return { rejected: reasons.join('; ') || 'the service gives no reason' };
  }
}

/** What is wrong with the order, for example a country, an asset or an amount. The message of the error is for you. */
function reasonsOf(error: unknown): string[] | undefined {
  if (error instanceof BadRequestError) return error.causes.map(({ field, message }) => `${field}: ${message}`);
  if (error instanceof RequestValidationError) return error.issues.map(({ path, message }) => `${path}: ${message}`);
  return undefined;
}

async function main(): Promise<void> {
  const [id, amount, currency, asset, country, subdivision] = process.argv.slice(2);
  if (!id || !amount || !currency || !asset || !country) {
    throw new Error('usage: ramp-checkout.ts <order id> <amount> <currency> <asset> <country> [<subdivision>]');
  }
  await using sandbox = process.env['PARTNER_BASE_URL'] ? undefined : createSandbox({ seed: 1 });
  const url = (await sandbox?.listen())?.url;
  await using client = new PartnerClient(sandbox && { baseUrl: url, ...sandbox.credentials });

  const checkout = await checkoutFor(client, { id, amount, currency, asset, country, subdivision });
  if ('rejected' in checkout) {
    console.error(`${id} is rejected: ${checkout.rejected}`);
    process.exitCode = 2;
    return;
  }
  console.log(
    `${amount} ${currency} is about ${checkout.receives} ${asset}, with ${checkout.fees} ${currency} of fees`,
  );
  // Whoever has the link acts for the user, so print it here, but never write it to a log.
  console.log(checkout.url);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  main().catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
}
