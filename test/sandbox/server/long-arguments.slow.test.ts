import { describe, expect, test } from 'vitest';
import { METHODS } from '../../../src/sandbox/serve/control/control-routes.js';
import { readDocument } from '../../../src/sandbox/serve/control/documents.js';
import { askControl, sharedSandbox } from '../support/partner.js';

const partner = await sharedSandbox({ inspect: true });
const { sandbox } = partner;

const LONG = 'x'.repeat(5_000);

/** No list of known names is longer. */
const MAX_MESSAGE_LENGTH = 12_000;

/** A JSON schema, as far as these tests look into it. */
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

const document = JSON.parse(readDocument('control.openapi.json'));

/** The schema of each argument of a method. */
const argumentSchemas = (path: string): readonly Schema[] =>
  document.paths[`/${path}`]?.post?.requestBody.content['application/json'].schema.prefixItems ?? [];

/** Names of the members of an argument, as far as the document has them. */
const membersOf = ({ properties = {}, anyOf = [], oneOf = [] }: Schema): string[] => [
  ...Object.keys(properties),
  ...[...anyOf, ...oneOf].flatMap(membersOf),
];

/** Long arguments of a method: text, lists, names of members, and each member that it knows. */
function* longArguments(path: string): Generator<readonly unknown[]> {
  const method = METHODS.get(path);
  const schemas = argumentSchemas(path);
  const { accountId, userId } = sandbox.fixtures;
  const known: Readonly<Record<string, unknown>> = { accountId, userId, symbol: 'BTC', kind: 'quotes', status: 'ok' };
  for (const [place, name] of (method?.args ?? []).entries()) {
    const before = method?.args.slice(0, place).map((one) => known[one] ?? 'x') ?? [];
    const filled = (arg: unknown) => [...before, arg, ...Array<unknown>((method?.args.length ?? 0) - place - 1)];
    for (const arg of [LONG, [LONG], { [LONG]: 1 }, { [name]: LONG }, [{ [LONG]: { [LONG]: 1 } }]]) yield filled(arg);
    for (const member of new Set(membersOf(schemas[place] ?? {}))) {
      for (const value of [LONG, { [LONG]: LONG }, [LONG]]) yield filled({ [member]: value });
      yield filled({ operation: 'accounts.quotes.create', fault: 503, symbol: 'BTC', amount: '1', [member]: LONG });
    }
  }
}

async function refusalOf(path: string, args: readonly unknown[]): Promise<string | undefined> {
  const caller = new AbortController();
  try {
    const called = METHODS.get(path)?.call(sandbox, args, caller.signal);
    // What waits ends.
    caller.abort();
    await called;
    return undefined;
  } catch (error) {
    return String(error instanceof Error ? error.message : error);
  }
}

describe('a refusal repeats at most 200 characters of an argument', () => {
  const paths = [...METHODS].flatMap(([path, { args }]) => (args.length === 0 ? [] : [path]));

  test.each(paths)('%s', async (path) => {
    for (const args of longArguments(path)) {
      const message = await refusalOf(path, args);
      if (message === undefined) continue;
      expect(message.length).toBeLessThan(MAX_MESSAGE_LENGTH);
      expect(message).not.toMatch(/x{201}/);
    }
    sandbox.reset();
    sandbox.troubles.clear();
  });
});

test('the refusal of a path, of a filter and of a call over HTTP is as short', async () => {
  const answers = await Promise.all([
    askControl(partner, `GET ${LONG}`),
    askControl(partner, `GET journal?${LONG}=1`),
    askControl(partner, `GET faults/${LONG}`),
    askControl(partner, 'POST restore', [LONG]),
    askControl(partner, 'POST quotes/expire', [LONG]),
    askControl(partner, 'POST users/get', [{ [LONG]: 1 }]),
  ]);
  for (const { status, error } of answers) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(error?.message).not.toMatch(/x{201}/);
    expect(error?.message.length).toBeLessThan(MAX_MESSAGE_LENGTH);
  }
});
