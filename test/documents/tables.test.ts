import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { API_ERROR_CLASSES } from '../../src/errors.js';
import * as sdk from '../../src/index.js';
import { HOOK_NAMES } from '../../src/observer.js';
import { resolveOptions } from '../../src/options.js';
import { redisKeyLeases } from '../../src/redis/index.js';
import { OPTION_NAMES } from '../../src/request/options.js';
import { operations } from '../../src/resources/operations.js';
import { RESOURCE_KINDS } from '../../src/sandbox/drive/look/kinds.js';
import { createSandbox } from '../../src/sandbox/index.js';
import { METHODS, READABLE } from '../../src/sandbox/serve/control/control-routes.js';
import { webhookHandler } from '../../src/webhooks/index.js';
import { TABLES, withTable } from '../../tools/tables/tables.js';
import { DOCUMENTS, readDocument } from './support/blocks.js';

/** The rows of a table, cell by cell, below the heading that is its own. */
function tableBelow(document: string, heading: string): string[][] {
  const lines = readDocument(document).split('\n');
  const start = lines.indexOf(heading);
  expect(start, `${document} has no ${heading}`).not.toBe(-1);
  const first = lines.findIndex((line, index) => index > start && line.startsWith('|'));
  const end = lines.findIndex((line, index) => index > first && !line.startsWith('|'));
  return lines.slice(first + 2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const namesIn = (cell = ''): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);

describe('a table that is made from the code', () => {
  it.each(TABLES)('$name of $document is as `npm run docs:tables` writes it', ({ document, name, make }) => {
    const text = readDocument(document);
    expect(text).toBe(withTable(text, name, make()));
  });

  it('of the operations has a row for each', () => {
    expect(tableBelow('docs/reference/operations.md', '# Operations')).toHaveLength(operations.length);
  });
});

describe('the table of options', () => {
  it('of a client has each of them', () => {
    const documented = tableBelow('README.md', '## Options').flatMap(([names]) => namesIn(names));
    expect(documented.sort()).toEqual(namesKnownBy((options) => new sdk.PartnerClient(options)));
  });

  it('of a client has the defaults of the code', () => {
    const { credentials: _, ...settings } = resolveOptions({
      baseUrl: 'https://x',
      apiKey: 'k',
      apiSecret: 'c2VjcmV0',
    });
    const defaults = Object.entries({ ...settings, allowInsecureHttp: false });
    const documented = new Map(
      tableBelow('README.md', '## Options').flatMap(([names, shown = '']) =>
        namesIn(names).map((name) => [name, shown]),
      ),
    );
    const simple = defaults.filter(([, value]) => ['number', 'string', 'boolean'].includes(typeof value));
    const shown = simple
      .filter(([name]) => documented.has(name))
      .map(([name, value]) => [name, value, meaningOf(documented.get(name))]);
    expect(shown.length).toBeGreaterThan(7);
    for (const [name, value, documentedValue] of shown) expect(documentedValue, String(name)).toBe(value);
  });

  it('of a call has each of them', () => {
    const documented = tableBelow('docs/start/configuration.md', '## Options of one call').flatMap(([names]) =>
      namesIn(names),
    );
    expect(documented.sort()).toEqual([...OPTION_NAMES.keys()].sort());
  });

  it('of leases has each of them', () => {
    const documented = tableBelow('docs/operate/several-processes.md', '## Options of leases');
    const redis = new Redis({ lazyConnect: true });
    const names = documented.flatMap(([name]) => namesIn(name));
    expect(names.sort()).toEqual(namesKnownBy((options) => redisKeyLeases(redis, options)));
  });

  it('of a webhook handler has each of them', () => {
    const documented = tableBelow('docs/webhooks/webhooks.md', '## Options').flatMap(([names]) => namesIn(names));
    const inCode = namesKnownBy((options) => webhookHandler(options as never));
    expect(documented.sort()).toEqual(inCode);
  });
});

/** The names that the error about an unknown option lists. */
function namesKnownBy(take: (options: object) => unknown): string[] {
  try {
    take({ unheardOf: 1 });
  } catch (error) {
    return (/known are (.*)$/.exec(String(error))?.[1] ?? '').split(', ').sort();
  }
  throw new Error('an unknown option was taken');
}

/** The value of a cell such as `30,000 ms`, `0.01` or `'adaptive'`. */
function meaningOf(cell = ''): unknown {
  const text = cell.replaceAll('`', '').replace(/ ms$/, '');
  if (/^[\d,.]+$/.test(text)) return Number(text.replaceAll(',', ''));
  if (text === 'true' || text === 'false') return text === 'true';
  return text.replaceAll("'", '');
}

describe('the tables of errors', () => {
  const namesBelow = (base: { readonly prototype: object }): string[] =>
    Object.entries(sdk)
      .filter(([, { prototype }]) => prototype && Object.prototype.isPrototypeOf.call(base.prototype, prototype))
      .map(([name]) => name);
  const classes = namesBelow(sdk.PartnerError);

  it('of docs/calls/errors-and-retries.md have each class that is exported', () => {
    const text = readDocument('docs/calls/errors-and-retries.md');
    expect(classes.filter((name) => !text.includes(`\n| \`${name}\` |`))).toEqual([]);
  });

  it('of docs/calls/errors-and-retries.md have the status of each class', () => {
    const rows = [...API_ERROR_CLASSES].map(([status, { name }]) => `| \`${name}\` | ${status} |`);
    const text = readDocument('docs/calls/errors-and-retries.md');
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.filter((row) => !text.includes(`\n${row}\n`))).toEqual([]);
  });

  it('of README has each class but those by status', () => {
    const documented = tableBelow('README.md', '## Errors').flatMap(([names]) => namesIn(names));
    const byStatus = namesBelow(sdk.ApiError);
    expect(documented.sort()).toEqual(classes.filter((name) => !byStatus.includes(name)).sort());
  });
});

describe('the table of hooks', () => {
  it('has each hook but run, which has a paragraph of its own', () => {
    const documented = tableBelow('docs/operate/logging.md', '## Hooks').flatMap(([names]) => namesIn(names));
    expect([...documented, 'run'].sort()).toEqual([...HOOK_NAMES].sort());
  });
});

describe("the table of the sandbox's members", () => {
  const cells = tableBelow('docs/sandbox/sandbox.md', '### Members').map(([names = '']) => names);
  /** `troubles.add` for each of `troubles.{add, list}`. */
  const documented = cells.flatMap((cell) =>
    [...cell.matchAll(/`(\w+(?:\.\w+(?=\.))?)(?:\.(?:\{([^}]*)\}|(\w+)))?/g)].flatMap(([, name = '', several, one]) => {
      const members = several?.split(', ') ?? (one === undefined ? [] : [one]);
      return members.length === 0 ? [name] : members.map((member) => `${name}.${member}`);
    }),
  );

  it('has each that a program of another language reaches', () => {
    // The kinds are what `resources.list` takes, and `webhooks.listDeliveries` is read with GET as the
    // collection of its deliveries.
    const others = [...RESOURCE_KINDS.map((kind) => `resources/${kind}`), 'webhooks/deliveries'];
    const paths = [...METHODS.keys(), ...READABLE.keys()].filter((path) => !others.includes(path));
    const reached = paths.map((path) => path.replaceAll('/', '.'));
    // A group is read with GET, too.
    const groups = new Set(documented.map((name) => name.slice(0, name.lastIndexOf('.'))));
    expect(reached).toContain('clock.agenda');
    expect(reached.filter((name) => !documented.includes(name) && !groups.has(name))).toEqual([]);
  });

  it('has none that is not there', async () => {
    await using sandbox = createSandbox();
    const at = (path: string) =>
      path.split('.').reduce<unknown>((value, name) => Reflect.get(Object(value), name), sandbox);
    expect(documented.length).toBeGreaterThan(30);
    expect(documented.filter((name) => at(name) === undefined)).toEqual([]);
  });
});

describe('commands in the documents', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

  it('name scripts of package.json', () => {
    const named = DOCUMENTS.flatMap((document) => [...readDocument(document).matchAll(/npm run ([\w:-]+)/g)]);
    expect(named.length).toBeGreaterThan(5);
    expect(named.map(([, name = '']) => name).filter((name) => !(name in scripts))).toEqual([]);
  });
});
