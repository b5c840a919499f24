import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { MemberWarnings } from '../../../src/call/call.js';
import { type ClientOptions, ResponseValidationError } from '../../../src/index.js';
import { Observer } from '../../../src/observer.js';
import { toSeen } from '../support/exact.js';
import { envelope, givesEnvelope, invoke, type OperationCase, USER, withMember } from '../support/operations.js';
import { user, webhook } from '../support/samples.js';
import { issuePaths, json, rejection, type Service, startService } from '../support/service.js';
import { ANSWERED, at, placesIn, scalarPlacesOf, schemaOf, withBrackets } from '../support/whole-answers.js';

const service = startService();

/** Without these there is nothing to hand over. */
const isEssential = ({ name }: OperationCase, path: string): boolean =>
  path === 'data' || (name === 'users.verifications.list' && path === 'data.verifications');

const MAY_BE_ONE_ITEM: readonly string[] = [
  ...['ramp.fiatCurrencies.list', 'ramp.paymentMethods.list', 'ramp.assets.list', 'funds.withdrawalMethods.list'],
];

const isItem = (path: string): boolean => /\.\d+$/.test(path);

/** What zod says of an answer by the schema of the operation: written by others than what reads it for the client. */
const fitsByZod = (op: OperationCase, body: unknown): boolean => z.safeParse(schemaOf(op), body).success;

/** The answer without what is at the path: a member is not there or `null`, an item of a list is `null`. */
const lacking = ({ answer }: OperationCase, path: string) =>
  [...(isItem(path) ? [] : [undefined]), null].map((value) => withMember(answer, path, value));

interface Heard {
  readonly operation?: string;
  readonly path?: string;
}

function listener(options: Partial<ClientOptions> = {}) {
  const heard: Heard[] = [];
  const logger = { warn: (_message: string, fields: object) => void heard.push(fields) };
  return { heard, client: service.client({ logger, ...options }) };
}

/** The answer's members as the method gives them, in the form of the envelope; money as its digits. */
async function read(op: OperationCase, body: unknown, client: ReturnType<Service['client']>): Promise<unknown> {
  service.answerJson(body);
  const value = toSeen(envelope(op, await invoke(op, client)));
  return givesEnvelope(op) ? value : { data: value };
}

/** What is handed over of `body`, which lacks what is at the path: null stays where it may be, or where nothing is refused. */
function left(whole: unknown, body: unknown, path: string, keepsNull: boolean): unknown {
  // The end of a list is no member of a page.
  if (keepsNull && at(body, path) === null && path !== 'next_page_token') return withMember(whole, path, null);
  if (!isItem(path)) return withMember(whole, path, undefined);
  const copy = JSON.parse(JSON.stringify(whole));
  const [list, index] = [path.slice(0, path.lastIndexOf('.')), Number(path.slice(path.lastIndexOf('.') + 1))];
  (at(copy, list) as unknown[]).splice(index, 1);
  return copy;
}

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

describe.each(ANSWERED)('$name', (op) => {
  const places = placesIn(op.answer);

  it('is read whole, and the logger hears nothing', async () => {
    const { heard, client } = listener();
    await read(op, op.answer, client);
    await read(op, op.answer, service.client({ responseValidation: 'strict' }));
    expect(heard).toEqual([]);
  });

  it('is read without any one member, all others are right, and the logger hears of it once', async () => {
    const whole = await read(op, op.answer, service.client());
    for (const path of places.filter((place) => !isEssential(op, place))) {
      for (const body of lacking(op, path)) {
        const { heard, client } = listener();
        const told = fitsByZod(op, body) ? [] : [{ operation: op.name, path: withBrackets(path) }];
        const seen = await read(op, body, client);
        await read(op, body, client);
        expect(JSON.parse(JSON.stringify(seen)), path).toEqual(left(whole, body, path, told.length === 0));
        expect(heard, path).toEqual(told);
      }
    }
  });

  it('is refused in strict mode without a member that it must have, at that member', async () => {
    const client = service.client({ responseValidation: 'strict' });
    for (const path of places) {
      for (const body of lacking(op, path)) {
        service.answerJson(body);
        if (fitsByZod(op, body)) await invoke(op, client);
        else {
          expect(await issuePaths(() => invoke(op, client), ResponseValidationError), path).toEqual([path]);
        }
      }
    }
  });

  it('is handed over in warn mode without any one member, as it came', async () => {
    const whole = await read(op, op.answer, service.client());
    const client = service.client({ responseValidation: 'warn' });
    for (const path of places.filter((place) => !isEssential(op, place))) {
      for (const body of lacking(op, path)) {
        const seen = await read(op, body, client);
        expect(JSON.parse(JSON.stringify(seen)), path).toEqual(left(whole, body, path, true));
      }
    }
  });

  it('is refused with an object or a list in the place of another value, and with a scalar in theirs, at that place', async () => {
    const client = service.client();
    const takeScalars = scalarPlacesOf(schemaOf(op));
    // Where the form of the list is not documented, its `data` may be a single item.
    const isOfAnyForm = (path: string) => path === 'data' && MAY_BE_ONE_ITEM.includes(op.name);
    let refused = 0;
    for (const path of places.filter((place) => !isOfAnyForm(place))) {
      for (const value of [5, 'no type, no number and no amount', true, [], {}]) {
        const body = withMember(op.answer, path, value);
        const [kind, expected] = [value, at(op.answer, path)].map(kindOf);
        const mayBeScalar = takeScalars.has(withBrackets(path)) || expected === 'null';
        if ((mayBeScalar && typeof value !== 'object') || kind === expected || fitsByZod(op, body)) continue;
        service.answerJson(body);
        const error = await rejection(() => invoke(op, client));
        expect(error, `${path} ${JSON.stringify(value)}`).toBeInstanceOf(ResponseValidationError);
        for (const issue of (error as ResponseValidationError).issues)
          expect(issue.path).toMatch(new RegExp(`^${path}`));
        refused++;
      }
    }
    expect(refused).toBeGreaterThanOrEqual(2 * takeScalars.size);
  });

  it.each(['tolerant', 'strict', 'warn'] as const)(
    'is refused without what it is all about, in %s mode',
    async (mode) => {
      const client = service.client({ responseValidation: mode });
      for (const path of places.filter((place) => isEssential(op, place) && (mode !== 'warn' || op.paged))) {
        for (const body of lacking(op, path)) {
          service.answerJson(body);
          expect(await rejection(() => invoke(op, client)), path).toBeInstanceOf(ResponseValidationError);
        }
      }
    },
  );
});

describe('the logger hears of a missing member', () => {
  const { id: _, ...nameless } = webhook;

  it('once, whatever number of items and pages lack it', async () => {
    service.answer(({ query }) =>
      json({ data: [nameless, nameless], ...(query.has('page_token') ? {} : { next_page_token: 't' }) }),
    );
    const { heard, client } = listener();
    expect(await client.webhooks.list().toArray({ limit: 10 })).toHaveLength(4);
    expect(heard).toEqual([{ operation: 'webhooks.list', path: 'data[].id' }]);
  });

  it('by a client of its own again', async () => {
    service.answerJson({ data: [nameless] });
    const { heard, client } = listener();
    const logger = { warn: (_message: string, fields: object) => void heard.push(fields) };
    for (const each of [client, service.client({ logger })]) await each.webhooks.list();
    expect(heard).toHaveLength(2);
  });

  it('by clients that withOptions made from one another once, unless they have loggers of their own', async () => {
    service.answerJson({ data: [nameless] });
    const { heard, client } = listener();
    const own = listener();
    const logger = { warn: (_message: string, fields: object) => void own.heard.push(fields) };
    for (const each of [client.withOptions({ timeout: 5_000 }), client, client.withOptions({ logger })])
      await each.webhooks.list();
    expect([heard.length, own.heard.length]).toEqual([1, 1]);
  });

  it('at most a thousand times', async () => {
    const [told, warnings] = [vi.fn(), new MemberWarnings()];
    const observer = new Observer(undefined, { warn: told });
    for (let index = 0; index < 1_100; index++) {
      const missing = new Set([`data.m${index}`, 'data.id']);
      warnings.accepted(observer, 'users.get', { missing, accepted: new Map() });
    }
    expect(told).toHaveBeenCalledTimes(1_000);
  });
});

describe('an item of a list that is null', () => {
  it('is left out: a loop over the list meets items alone', async () => {
    service.answerJson({ data: [null, { ...webhook, events: ['a', null, 'b'] }, null] });
    const { heard, client } = listener();
    const events: string[][] = [];
    for await (const item of client.webhooks.list()) events.push(item.events);
    expect(events).toEqual([['a', 'b']]);
    expect(heard.map(({ path }) => path).sort()).toEqual(['data[]', 'data[].events[]']);
  });

  it('stays where items may be anything', async () => {
    service.answerJson({ data: { ...user, status: { state: 'ok', required_actions: [null, 1] } } });
    expect((await service.client().users.get(USER)).status.required_actions).toEqual([null, 1]);
  });
});
