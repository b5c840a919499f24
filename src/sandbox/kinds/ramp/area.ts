import type { Area } from '../../core/kind/kind.js';
import type { RecordKind } from '../../core/records/records.js';
import { rampCheckoutHandlers } from './checkout.js';
import { rampDiscoveryHandlers } from './discovery.js';
import { rampLimitHandlers } from './limits.js';
import { rampCheckouts } from './linked.js';
import { rampQuoteHandlers } from './quotes.js';

/** The hosted checkout, for buying and selling with a card and other payment methods. */
export const ramp: Area = {
  name: 'ramp',
  operations: [...rampDiscoveryHandlers, ...rampLimitHandlers, ...rampCheckoutHandlers, ...rampQuoteHandlers],
  more: [rampCheckouts as unknown as RecordKind<never>],
  choices: {
    'rampQuotes.prospective':
      'Needs `from_symbol`, `to_symbol` and `from_amount`, and takes any `country`. Its own fee is 1.5 % of the amount, and 2 % more with a card (`deposit_fee`). `affiliate_fee` is a share of what is left then: 100 bps of 100.00 USD are 0.99. A payout costs 1.25 US dollars (`withdrawal_fee`).',
    'ramp.fiatCurrencies.list':
      'Gives the fiat assets that can be deposited, with `symbol`, `type` and `name`, in the order of their symbols. Parameters of unknown names change nothing.',
    'ramp.paymentMethods.list':
      'Gives three methods with `id` and `name`, and ignores filters. The quote of a method with `card` in its id has the fee of a card.',
    'ramp.assets.list':
      'Gives the assets that `ramp.limits.get` and `ramp.checkout.get` take as `out_asset_symbol`, with `symbol`, `type` and `name`. Checks country and subdivision.',
    'ramp.countries.list': 'Gives `subdivisions` of Australia, Canada and the US, as suffixes of ISO 3166-2.',
    'ramp.limits.get':
      'Takes BTC if no asset to receive is named, any method, and the countries of `ramp.countries.list`. A deposit is 10 to 25,000 US dollars, a withdrawal 5 to 100,000, at present prices without fees.',
    'ramp.checkout.get':
      'Takes USD and BTC for assets that are not named. Checks assets, country, subdivision, `in_amount` against the limits, links and wallet address, when they are given. `checkout_url` leads to a page of the sandbox, on the host of the request, that shows the parameters; the newest 1,000 are kept. `request_data` are the parameters.',
  },
};
