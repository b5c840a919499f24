import { describe, expect, it } from 'vitest';
import { operations } from '../../src/resources/operations.js';
import { readDocument } from '../documents/support/blocks.js';
import type { Fact, OperationFact, Source } from './fact.js';
import { authentication } from './facts/authentication.js';
import { errors } from './facts/errors.js';
import { openness } from './facts/openness.js';
import { paging } from './facts/paging.js';
import { shapes } from './facts/shapes.js';
import { signatures } from './facts/signatures.js';
import { states } from './facts/states.js';
import { webhooks } from './facts/webhooks.js';
import { IDS } from './ids.js';
import { OPERATIONS } from './operations/index.js';
import { isObject } from './rules.js';
import { differences } from './shape.js';
import { idsFor, sendCall, targetOf, withClient, withSandbox } from './stages.js';

const named = OPERATIONS.map((row) => [row.name, row] as const);

/** The marks of an operation, by the source of its path. */
const MARKS: Readonly<Record<Source, RegExp>> = {
  specified: /^specified$/,
  current: /^(documented|partial)$/,
  guide: /^partial$/,
  old: /^partial$/,
  'third party': /^partial$/,
  inferred: /^assumed$/,
};

const asJson = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

/** Compares what a call gave with its row: of a list the items of the first page. */
function expectValue(value: unknown, row: OperationFact): void {
  const plain = asJson(value);
  const items = isObject(plain) && Array.isArray(plain['items']) ? plain['items'] : plain;
  if (!('gives' in row)) expect(items).toEqual(asJson((row.answer as { data: unknown }).data));
  else if (row.gives === undefined) expect(value).toBeUndefined();
  else if (row.gives !== 'anything')
    expect(Array.isArray(row.gives) ? items : plain).toMatchObject(row.gives as object);
}

const GROUPS = {
  authentication,
  signatures,
  webhooks,
  shapes,
  openness,
  states,
  errors,
  paging,
} as const satisfies Readonly<Record<string, readonly Fact[]>>;

const prose = readDocument('docs/reference/protocol.md').replaceAll(/\s+/g, ' ');

describe.each(Object.entries(GROUPS))('%s', (_, facts) => {
  const with_ = <Name extends keyof Fact>(name: Name) =>
    facts.flatMap((one) => (one[name] === undefined ? [] : [[one.fact, one[name]] as const]));

  it('states each fact once, and checks it or says why not', () => {
    expect(new Set(facts.map(({ fact }) => fact)).size).toBe(facts.length);
    const bare = facts.filter(({ client, sandbox, unchecked }) => (client ?? sandbox ?? unchecked) === undefined);
    expect(bare.map(({ fact }) => fact)).toEqual([]);
  });

  it.each(with_('client'))('the client: %s', (_, check) => withClient(check as NonNullable<Fact['client']>));

  it.each(with_('sandbox'))('the sandbox: %s', (_, check) => withSandbox(check as NonNullable<Fact['sandbox']>));

  it('stands in protocol.md where it concerns authors in other languages', () => {
    const isMissing = (words: string | RegExp): boolean =>
      typeof words === 'string' ? !prose.includes(words) : !words.test(prose);
    expect(facts.flatMap(({ document = [] }) => document.filter(isMissing))).toEqual([]);
  });
});

describe('each operation', () => {
  it('of the client has one row, and each row an operation', () => {
    expect(OPERATIONS.map(({ name }) => name).sort()).toEqual(operations.map(({ name }) => name).sort());
  });

  it('is marked in operations.md as its source has it: an inferred path is assumed, and one of the description specified', () => {
    const text = readDocument('docs/reference/operations.md');
    for (const { name, source, route } of OPERATIONS) {
      const [, path, mark] =
        text.match(new RegExp(`^\\| \`${name}\\(.*?\\)\` \\| \`(.*?)\` \\| (\\w+) \\|`, 'm')) ?? [];
      expect([name, path]).toEqual([name, route]);
      expect([name, mark]).toEqual([name, expect.stringMatching(MARKS[source])]);
    }
  });

  it.each(named)('%s is sent as the facts say, and its documented response is read', async (_, row) => {
    await withClient(async ({ client, service }) => {
      const given = row.given(IDS);
      const value = await row.call(client, given);
      const [method] = row.route.split(' ');
      expect(service.received.map((one) => `${one.method} ${one.target}`)).toEqual([
        `${method} ${targetOf(row, given)}`,
      ]);
      expect(service.received[0]?.key !== undefined).toBe(row.key === true);
      expectValue(value, row);
    });
  });

  it.each(named)('%s is answered by the sandbox in the form of the facts', async (_, row) => {
    await withSandbox(async (stage) => {
      const reply = await sendCall(row, { ...stage, ids: await idsFor(row, stage) });
      expect([reply.status, reply.text]).toEqual([200, expect.anything()]);
      if (row.answer !== undefined) expect(differences(row.answer, reply.json, row.optional)).toEqual([]);
    });
  });

  it('that writes stands in protocol.md with its key, its one-time password and its body', () => {
    const [, table = ''] = readDocument('docs/reference/protocol.md').split('| write |');
    const [rows = ''] = table.split('\n\n');
    const lines = rows
      .split('\n')
      .slice(2)
      .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| |[`|]/g, '').trim()))
      .map(([name, route, key = '', otp, body]) => [name, route, key.startsWith('yes'), otp === 'required', body]);
    const writes = OPERATIONS.filter(({ route }) => !route.startsWith('GET ')).map((row) => [
      row.name,
      row.route,
      row.key === true,
      row.otp === true,
      row.body === undefined ? 'none' : 'JSON',
    ]);
    expect(lines.sort()).toEqual(writes.sort());
  });
});
