/** The countries of the hosted checkout, ISO 3166-1 alpha-2, in the order of their codes. */
const CODES =
  'AD AE AR AT AU BE BG BH BR CA CH CL CO CR CY CZ DE DK DO EE ES FI FR GB GI GR GT HK HR HU IE IL IS IT JP KR KW LI LT LU LV MC MT MX MY NL NO NZ PA PE PH PL PT QA RO SA SE SG SI SK SM TH TR TW US UY VN ZA';

/** Subdivisions with rules of their own, by country: suffixes of ISO 3166-2. */
const SUBDIVISIONS: Readonly<Record<string, string>> = {
  AU: 'ACT NSW NT QLD SA TAS VIC WA',
  CA: 'AB BC MB NB NL NS NT NU ON PE QC SK YT',
  US: 'AK AL AR AZ CA CO CT DC DE FL GA HI IA ID IL IN KS KY LA MA MD MI MN MO MS MT NC ND NE NH NJ NM NV OH OK OR PA RI SC SD TN TX UT VA VT WA WI WV WY',
};

interface Country {
  readonly country: string;
  readonly subdivisions?: readonly string[];
}

export const COUNTRIES: readonly Country[] = CODES.split(' ').map((country) => {
  const parts = SUBDIVISIONS[country];
  return { country, ...(parts === undefined ? {} : { subdivisions: parts.split(' ') }) };
});

export const countryOf = (code: string): Country | undefined => COUNTRIES.find(({ country }) => country === code);
