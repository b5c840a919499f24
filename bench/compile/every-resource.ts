/** Uses every resource of the client, as an application would: this is compiled against the installed package. */
import { type Decimal, isApiError, PartnerClient } from 'partner-sdk';
import { verifyWebhook } from 'partner-sdk/webhooks';

const client = new PartnerClient({ baseUrl: 'https://api.example.com', apiKey: 'key', apiSecret: 'c2VjcmV0' });
const account = 'AA66GN84GAABCDEF';
const user = 'UU66GN84GAABCDEF';

export async function users(): Promise<Decimal | undefined> {
  const { status } = await client.users.get(user);
  const verifications = await client.users.verifications.list(user);
  const page = await client.users.assets.list(user, { type: ['crypto'], quote_symbol: 'EUR' });
  console.log(status, verifications[0]?.verification_id, page.meta.quote_symbol);
  return page.items[0]?.price;
}

export async function quotes(): Promise<Decimal> {
  const from = { symbol: 'USD', type: 'fiat', amount: '100.00' };
  const created = await client.accounts.quotes.create(account, { from, to: { symbol: 'BTC', type: 'crypto' } });
  await client.accounts.quotes.execute(account, created.id);
  const quote = await client.accounts.quotes.waitFor(account, created.id);
  const wallet = { address: '0xf83ca957f0dd14bd7ce7942c145fc0309b49edc3', network: 'ethereum' };
  const onchain = await client.accounts.onchainQuotes.create(account, {
    from: { ...from, wallet },
    to: { symbol: 'USDC', type: 'stablecoin' },
  });
  console.log(onchain.execution_details?.proxy_swap_message.atomic_signature);
  return quote.to.amount.plus((await client.accounts.quotes.get(account, quote.id)).fees.trade.amount);
}

export async function orders(): Promise<string | undefined> {
  const [base, quote] = [
    { symbol: 'BTC', type: 'crypto' },
    { symbol: 'USD', type: 'fiat' },
  ];
  const trade = { from: { ...quote, amount: '100.00' }, to: base };
  const { id } = await client.accounts.priceTriggerSwaps.create(account, {
    trade,
    when: { base, quote, drops_to: '1' },
  });
  await client.accounts.priceTriggerSwaps.cancel(account, id);
  const swap = await client.accounts.priceTriggerSwaps.waitFor(account, id);
  const rates = await client.assets.rates.list('crypto', 'BTC', { interval: 'PT1H' });
  const asset = await client.assets.get('crypto', 'BTC');
  const [onchain] = (await client.accounts.onchainQuotes.list(account)).items;
  const rails = (await client.swap.assets.list()).items.map(({ supported_rails }) => supported_rails);
  console.log(rails, onchain?.status, asset.price?.toFixed(), rates.items[0]?.price?.toFixed());
  return swap.trade?.to?.amount?.toFixed();
}

export async function holdings(): Promise<string[]> {
  const lines: string[] = [];
  for await (const { from, rate } of client.accounts.onDemandConversions.list(account, { page_size: 25 })) {
    lines.push(from.type === 'wallet' ? from.wallet.via : rate.price.toFixed());
  }
  const portfolio = await client.accounts.portfolio.details(account, { quote_symbol: 'EUR' });
  return [...lines, ...portfolio.items.map(({ symbol, total }) => `${symbol} ${total.toFixed()}`)];
}

export async function funds(method: string): Promise<void> {
  const { withdrawalAddresses, addresses, bankLinks, depositLimits } = client.funds;
  const address = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
  try {
    await withdrawalAddresses.save(account, { asset_symbol: 'BTC', method_id: method, key: 'cold', address });
    await withdrawalAddresses.update(account, 'cold', { new_key: 'vault' });
    await addresses.delete(account, 'address');
    await client.accounts.wallets.whitelist(account, { via: 'bitcoin', address }, { otp: '123456' });
  } catch (error) {
    if (!isApiError(error, 'resource_exhausted')) throw error;
    console.log(error.retryAfter);
  }
  const limits = await depositLimits.list(account, 'BTC').toArray({ limit: 10 });
  console.log((await bankLinks.get(account, 'bank-link')).institution.name, limits[0]?.maximum_amount.amount.toFixed());
}

export async function rest(body: Uint8Array | string, headers: Record<string, string>): Promise<void> {
  const ramp = await client.rampQuotes.prospective({ from_symbol: 'USD', from_amount: '100', to_symbol: 'BTC' });
  const [hook] = (await client.webhooks.list()).items;
  const event = verifyWebhook({ body, headers, secret: 'whsec' });
  console.log(
    ramp.unit_price.unit_price.toFixed(),
    hook?.url,
    event.type === 'quote.executed' ? event.data.status : event.id,
  );
}
