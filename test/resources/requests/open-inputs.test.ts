import { describe, expect, it } from 'vitest';
import { RequestValidationError } from '../../../src/index.js';
import { labelOf } from '../../../src/resources/labels.js';
import { invoke, OPERATIONS, type OperationCase, operation, withMember } from '../support/operations.js';
import { rejection, startService } from '../support/service.js';

const service = startService();

/** A name that is near none of the API, and its value. */
const [NEWER, VALUE] = ['zzz_of_a_later_edition', 'x'];

/** The public reference says of this body that it takes further members. */
const DOCUMENTED_AS_OPEN = ['users.update'];

const WITH_INPUT = OPERATIONS.filter(({ query, body }) => query !== undefined || body !== undefined);
const isOpen = ({ name }: OperationCase) =>
  ['partial', 'assumed'].includes(labelOf({ name }).stability) || DOCUMENTED_AS_OPEN.includes(name);

/** The dotted places of all objects in a value, the value itself as ''. */
function objectsIn(value: unknown, place = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, one]) =>
    objectsIn(one, place === '' ? name : `${place}.${name}`),
  );
  return Array.isArray(value) ? inner : [place, ...inner];
}

const given = ({ query, body }: OperationCase, change: (input: object) => object) =>
  query === undefined ? { body: change(body ?? {}) as never } : { query: change(query) as never };

const placesOf = (op: OperationCase) =>
  objectsIn(op.query ?? op.body).map((place) => (place === '' ? NEWER : `${place}.${NEWER}`));

describe.each(WITH_INPUT.filter(isOpen))('$name, of which only parts are known', (op) => {
  it.each(placesOf(op))('sends an unknown member: %s', async (path) => {
    service.answerJson(op.answer);
    await invoke(
      op,
      service.client(),
      given(op, (input) => withMember(input, path, VALUE)),
    );
    const { body, query } = service.only;
    const names = path.split('.');
    const name = names.reduce((outer, inner) => `${outer}[${inner}]`);
    const sent = op.query === undefined ? names.reduce((at, one) => at[one], JSON.parse(body)) : query.get(name);
    expect(sent).toBe(VALUE);
  });
});

describe.each(WITH_INPUT.filter((op) => !isOpen(op)))('$name, which is described', (op) => {
  it.each(placesOf(op))('refuses an unknown member: %s', async (path) => {
    const input = given(op, (whole) => withMember(whole, path, VALUE));
    const { issues } = await rejection(() => invoke(op, service.client(), input), RequestValidationError);
    expect(issues.map((issue) => issue.path)).toEqual([path]);
    expect(service.received).toEqual([]);
  });
});

/** A member of each open input that may be absent, and a slip of it. */
const SLIPS: Readonly<Record<string, readonly [known: string, slip: string]>> = {
  'users.create': ['residence.province', 'residence.provinse'],
  'users.update': ['birth.country', 'birth.contry'],
  'users.verifications.submitUrl': ['metadata.document_type', 'metadata.documentType'],
  'swap.assets.list': ['page_size', 'pageSize'],
  'accounts.conversions.create': ['to.destination.wallet_id', 'to.destination.walletId'],
  'accounts.portfolio.transactions.list': ['assets.0.symbol', 'assets.0.simbol'],
  'accounts.transfers.create': ['from.asset.amount', 'from.asset.ammount'],
  'accounts.transfers.list': ['page_token', 'page_tokn'],
  'ramp.fiatCurrencies.list': ['page_size', 'page_sise'],
  'funds.withdrawalMethods.list': ['page_size', 'page_sizes'],
  'ramp.paymentMethods.list': ['page_token', 'page_toke'],
  'ramp.assets.list': ['subdivision', 'subdivison'],
  'ramp.limits.get': ['out_asset_symbol', 'out_asset_simbol'],
  'ramp.checkout.get': ['redirect_url', 'redirectUrl'],
  'webhooks.create': ['description', 'desciption'],
  'webhooks.update': ['disabled', 'disable'],
};

it('each open input is in the table of slips', () => {
  expect(WITH_INPUT.filter(isOpen).map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(SLIPS)));
  expect(Object.keys(SLIPS).length).toBe(WITH_INPUT.filter(isOpen).length);
});

it.each(Object.entries(SLIPS))('%s warns of a slip of a known member, and sends it', async (name, [known, slip]) => {
  const op = operation(name);
  service.answerJson(op.answer);
  const warnings: [string, unknown][] = [];
  const client = service.client({ logger: { warn: (text, fields) => void warnings.push([text, fields]) } });
  await invoke(
    op,
    client,
    given(op, (whole) => withMember(withMember(whole, known, undefined), slip, '5')),
  );
  const [meant = ''] = known.split('.').slice(-1);
  const path = slip.replace('.0.', '[0].');
  expect(warnings).toEqual([[expect.stringContaining(`did you mean ${meant}?`), { operation: name, path }]]);
  expect(`${service.only.path} ${service.only.body}`).toContain(slip.split('.').at(-1));
});
