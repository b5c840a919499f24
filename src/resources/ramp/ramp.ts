import { Resource } from '../resource.js';
import { RampCheckouts } from './checkout.js';
import { RampCountries } from './countries.js';
import { RampFiatCurrencies } from './fiat-currencies.js';
import { RampLimits } from './limits.js';

/** `client.ramp`: the hosted checkout. `client.rampQuotes` previews its amounts. */
export class Ramp extends Resource {
  readonly countries = new RampCountries(this.caller);
  readonly fiatCurrencies = new RampFiatCurrencies(this.caller);
  readonly limits = new RampLimits(this.caller);
  readonly checkout = new RampCheckouts(this.caller);
}
