import { listRampCountries, type RampCountryListParams } from '../../../resources/ramp/countries.js';
import { listRampFiatCurrencies } from '../../../resources/ramp/fiat-currencies.js';
import { type Handler, handle } from '../../core/kind/handler.js';
import { assetRef } from '../../core/market/catalogue.js';
import { COUNTRIES } from '../shared/countries.js';
import { canPayWith } from './limits.js';

const COUNTRIES_OF_A_PAGE = 50;

export const rampDiscoveryHandlers: readonly Handler[] = [
  handle<unknown, RampCountryListParams>(listRampCountries, ({ pager }, { query }) =>
    pager.page(
      {
        scope: [listRampCountries.name],
        items: COUNTRIES,
        position: ({ country }) => country,
        isAfter: ({ country }, position) => country > position,
      },
      { page_size: COUNTRIES_OF_A_PAGE, ...query },
    ),
  ),
  handle(listRampFiatCurrencies, ({ catalogue }) => ({
    data: catalogue.assets.filter(canPayWith).map(assetRef),
  })),
];
