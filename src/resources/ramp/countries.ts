import type { ListOptions, PagedList } from '../../call/caller.js';
import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import { defineList } from '../define-operation.js';
import { Resource } from '../resource.js';

/** A country whose residents can use the hosted checkout. */
export interface RampCountry {
  /** ISO 3166-1 alpha-2, for example `US`. */
  country: string;
  /** Subdivisions of the country, for example states. Their codes are not documented. */
  subdivisions?: string[] | undefined;
}

/** A page of the countries. */
export interface RampCountryListParams {
  /** 1 to 200; the service's default is 50. */
  page_size?: number | undefined;
  /** `nextPageToken` of an earlier page, 1 to 512 characters. Default: from the beginning. */
  page_token?: string | undefined;
}

/** Longest page token of the lists of the hosted checkout. */
export const MAX_TOKEN_LENGTH = 512;

const countryListParams = s.input<RampCountryListParams>()(() =>
  z.object(s.paging({ max: 200, default: 50, maxTokenLength: MAX_TOKEN_LENGTH })),
);

const country = s.output<RampCountry>()(() =>
  z.looseObject({ country: z.string(), subdivisions: z.optional(z.array(z.string())) }),
);

export const listRampCountries = defineList('ramp.countries.list', 'GET /v1/ramp/countries', {
  query: countryListParams,
  answer: s.page(country, undefined, MAX_TOKEN_LENGTH),
});

/** `client.ramp.countries`: the countries of the hosted checkout. */
export class RampCountries extends Resource {
  /**
   * Lists the countries in which the hosted checkout can be used.
   *
   * @example
   * const countries = await client.ramp.countries.list().toArray({ limit: 300 });
   * const canBuy = countries.some(({ country }) => country === 'DE');
   *
   * @stability documented
   * @throws RequestValidationError when a parameter breaks a rule, and the errors of every call.
   */
  list(params?: RampCountryListParams, options?: ListOptions): PagedList<RampCountry> {
    return this.api.list(listRampCountries, [params], options);
  }
}
