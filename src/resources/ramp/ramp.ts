import { Resource } from '../resource.js';
import { RampAssets } from './assets.js';
import { RampCheckouts } from './checkout.js';
import { RampCountries } from './countries.js';
import { RampFiatCurrencies } from './fiat-currencies.js';
import { RampLimits } from './limits.js';
import { RampPaymentMethods } from './payment-methods.js';

/** `client.ramp`: the hosted checkout. `client.rampQuotes` previews its amounts. */
export class Ramp extends Resource {
  readonly countries = new RampCountries(this.api);
  readonly fiatCurrencies = new RampFiatCurrencies(this.api);
  readonly paymentMethods = new RampPaymentMethods(this.api);
  readonly assets = new RampAssets(this.api);
  readonly limits = new RampLimits(this.api);
  readonly checkout = new RampCheckouts(this.api);
}
