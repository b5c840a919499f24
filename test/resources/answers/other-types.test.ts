import { describe, expect, it, vi } from 'vitest';
import { type ClientOptions, Decimal, ResponseValidationError } from '../../../src/index.js';
import { operations } from '../../../src/resources/operations.js';
import { envelope, givesEnvelope, invoke, type OperationCase, withMember } from '../support/operations.js';
import { forRequest, issuePaths, json, rejection, startService } from '../support/service.js';
import { ANSWERED, at, placesIn, scalarPlacesOf, schemaOf, withBrackets } from '../support/whole-answers.js';

const service = startService();

/** Members that are compared with the call: another value belongs to another call. */
const COMPARED: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  operations.flatMap(({ name, correlation = [] }) => {
    const members = correlation.filter(({ isUnpromised, as }) => isUnpromised !== true && as !== 'amount');
    return members.length === 0 ? [] : [[name, members.map(({ member }) => ['data', ...member].join('.'))]];
  }),
);

/** The member that tells the forms of one side apart: another one makes the whole side one of any form. */
const isTag = ({ name }: OperationCase, path: string): boolean =>
  name === 'accounts.onDemandConversions.list' && /\.(from|to)\.type$/.test(path);

function listener(options: Partial<ClientOptions> = {}) {
  const heard: { path: string; message: string }[] = [];
  const logger = {
    warn(message: string, { path }: { path: string }) {
      // Names and addresses that the service may normalise are compared, too.
      if (!message.includes('another value')) heard.push({ path, message });
    },
  };
  return { heard, client: service.client({ logger, ...options }) };
}

/** The answer's members as the method gives them, in the form of the envelope. */
async function read(op: OperationCase, change: (body: unknown) => unknown, client = service.client()) {
  service.answer((request) => json(change(forRequest(request, op.answer))));
  const value = envelope(op, await invoke(op, client));
  return givesEnvelope(op) ? value : { data: value };
}

/** The places of all texts, numbers and booleans but amounts, where one is expected and none is compared. */
async function scalarsOf(op: OperationCase): Promise<string[]> {
  const whole = await read(op, (body) => body);
  const expected = scalarPlacesOf(schemaOf(op));
  return placesIn(op.answer).filter(
    (path) =>
      ['string', 'number', 'boolean'].includes(typeof at(whole, path)) &&
      expected.has(withBrackets(path)) &&
      !isInBaseUnits(path) &&
      COMPARED[op.name]?.includes(path) !== true,
  );
}

/** A number as text, a text as a number, a boolean as text. */
const turned = (value: unknown, index: number): unknown => (typeof value === 'string' ? 1_000 + index : String(value));

/** What cannot be converted without a loss, or at all. */
const inexact = (value: unknown, index: number): unknown =>
  typeof value === 'string' ? [1.5, 2 ** 60, -1e300, true][index % 4] : ['1.50', '', ' 1', '1e3', 'no'][index % 5];

/** Changes the values at all these places. */
const allChanged = (paths: readonly string[], change: typeof turned) => (body: unknown) =>
  paths.reduce((changed, path, index) => withMember(changed, path, change(at(body, path), index)), body);

const CONVERTED = { string: String, number: Number, boolean: (text: unknown) => text === 'true' };

describe.each(ANSWERED)('$name', (op) => {
  it('is read with each number, text and boolean in the type of another, and nothing is reported', async () => {
    const whole = await read(op, (body) => body);
    const places = (await scalarsOf(op)).filter((path) => !isTag(op, path));
    const { heard, client } = listener();
    const seen = await read(op, allChanged(places, turned), client);
    for (const [index, path] of places.entries()) {
      const kind = typeof at(whole, path) as keyof typeof CONVERTED;
      expect(at(seen, path), path).toBe(CONVERTED[kind](turned(at(op.answer, path), index)));
    }
    expect(heard).toEqual([]);
  });

  it('is read with what cannot be converted exactly, which stays and is reported once, without its value', async () => {
    const places = (await scalarsOf(op)).filter((path) => !isTag(op, path) && path !== 'next_page_token');
    const { heard, client } = listener();
    await read(op, allChanged(places, inexact), client);
    const seen = await read(op, allChanged(places, inexact), client);
    for (const [index, path] of places.entries())
      expect(at(seen, path), path).toBe(inexact(at(op.answer, path), index));
    expect(new Set(heard.map(({ path }) => path))).toEqual(new Set(places.map(withBrackets)));
    expect(heard).toHaveLength(new Set(heard.map(({ path }) => path)).size);
    for (const { message } of heard)
      expect(message).toMatch(
        /must be (a string|a number|a whole number|true or false)(, not (a string|a number|a boolean))?: /,
      );
  });

  it('is refused in strict mode with another type, at exactly that member', async () => {
    const client = service.client({ responseValidation: 'strict' });
    // A report has its `size` as text, and is read with a number, too.
    const places = (await scalarsOf(op)).filter((path) => !isTag(op, path) && !/\bsize$/.test(path));
    if (places.length === 0) return;
    const refused = await issuePaths(() => read(op, allChanged(places, turned), client), ResponseValidationError);
    expect(refused.sort()).toEqual(places.sort());
  });
});

/** Amounts in base units stay strings, and are refused as numbers all the same. */
const isInBaseUnits = (path: string): boolean => /_transfer\.amount$/.test(path);

/** The places of all amounts of an operation's answer. */
async function amountsOf(op: OperationCase): Promise<string[]> {
  const whole = await read(op, (body) => body);
  return placesIn(op.answer).filter((path) => Decimal.isDecimal(at(whole, path)));
}

it.each(['create', 'get', 'list'])('onchainQuotes.%s refuses amounts in base units as numbers', async (name) => {
  const op = ANSWERED.find((one) => one.name === `accounts.onchainQuotes.${name}`) as OperationCase;
  const amounts = placesIn(op.answer).filter(isInBaseUnits);
  for (const change of [Number, () => 2 ** 60]) {
    const issues = await issuePaths(() => read(op, allChanged(amounts, change)), ResponseValidationError);
    expect(issues.sort()).toEqual(amounts.sort());
  }
});

it.each(ANSWERED)('$name: amounts are refused as numbers and as other text, all of them', async (op) => {
  const amounts = await amountsOf(op);
  if (amounts.length === 0) return;
  for (const change of [Number, () => '1,000', () => '', () => true, () => ({})]) {
    const issues = await issuePaths(() => read(op, allChanged(amounts, change)), ResponseValidationError);
    expect(issues.sort()).toEqual(amounts.sort());
  }
});

it.each(ANSWERED)(
  '$name: in warn mode such an amount is handed over as it came, with all the rest read',
  async (op) => {
    const [path, ...others] = await amountsOf(op);
    if (path === undefined) return;
    const warn = vi.fn();
    const client = service.client({ responseValidation: 'warn', logger: { warn } });
    const seen = await read(op, (body) => withMember(body, path, '1,000'), client);
    expect(at(seen, path)).toBe('1,000');
    for (const other of others) expect(Decimal.isDecimal(at(seen, other)), other).toBe(true);
    expect(JSON.stringify(warn.mock.calls)).toContain(path);
  },
);

it.each(Object.entries(COMPARED))(
  '%s with another value of another type is the answer of another call',
  async (name, paths) => {
    const op = ANSWERED.find((one) => one.name === name) as OperationCase;
    for (const path of paths) {
      for (const value of [1_000, 1.5, 2 ** 60, true]) {
        const error = await rejection(() => read(op, (body) => withMember(body, path, value)));
        expect(error).toMatchObject({ name: 'ResponseValidationError', issues: [{ path }] });
      }
    }
  },
);

describe('the size of a report', () => {
  const op = ANSWERED.find(({ name }) => name === 'reports.settlement.get') as OperationCase;
  const sizeOf = async (size: unknown, responseValidation: 'tolerant' | 'strict' | 'warn') => {
    const client = service.client({ responseValidation });
    return at(await read(op, (body) => withMember(body, 'data.size', size), client), 'data.size');
  };

  it.each(['tolerant', 'strict', 'warn'] as const)(
    'is a number, whether it comes as text or not, in %s mode',
    async (mode) => {
      expect(await sizeOf('18342', mode)).toBe(18_342);
      expect(await sizeOf(18_342, mode)).toBe(18_342);
    },
  );

  it.each(['1.5', '007', '9007199254740993', '', 1.5])(
    'that is no safe integer stays, and strict mode refuses it: %j',
    async (size) => {
      expect(await sizeOf(size, 'tolerant')).toBe(size);
      expect(await issuePaths(() => sizeOf(size, 'strict'), ResponseValidationError)).toEqual(['data.size']);
    },
  );
});
