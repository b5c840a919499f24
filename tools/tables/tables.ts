/**
 * The tables of the documents that are made from the code. `npm run docs:tables` writes them;
 * a test fails when they are stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { safeParse } from 'zod/v4/core';
import { RECIPES, type RecipeCall } from '../../src/inspector/views/faults/recipes.js';
import { labelOf } from '../../src/resources/labels.js';
import { operations } from '../../src/resources/operations.js';
import { OWN_CHOICES } from '../../src/sandbox/own-choices.js';
import { type ChaosFault, FAULT_NAMES, FAULTS } from '../../src/sandbox/trouble/fault-table.js';
import { KNOWN_OUTCOMES } from '../../src/sandbox/trouble/outcomes.js';
import type { Correlation } from '../../src/schema/correlation.js';
import type { Operation, RetrySafety } from '../../src/schema/operation.js';
import { tableOf } from '../markdown.js';
import { camelCase } from '../openapi/id-marks.js';
import { LIFECYCLES, type Lifecycle } from './lifecycles.js';
import { payloads, requestVectors, webhookVectors } from './protocol-tables.js';

const RETRIES: Readonly<Record<RetrySafety, string>> = {
  always: 'always',
  keyed: 'with its idempotency key',
  unkeyed: 'if it was not sent',
};

/** Their types demand `params`, though the service documents no parameter as required. */
const DEMAND_PARAMS: readonly string[] = ['ramp.limits.get', 'ramp.checkout.get', 'rampQuotes.prospective'];

/** The call as it is written, for example `users.assets.list(userId, params?)`. */
function callOf({ name, path, params, query, body, otp }: Operation): string {
  const ids = params === undefined ? [] : Array.from(path.matchAll(/\{(\w+)\}/g), ([, id = '']) => camelCase(id));
  const needsQuery = query !== undefined && (DEMAND_PARAMS.includes(name) || !safeParse(query(), {}).success);
  return `${name}(${[
    ...ids,
    ...(query === undefined ? [] : [needsQuery ? 'params' : 'params?']),
    ...(body === undefined ? [] : ['body']),
    ...(otp === true ? ['{ otp }'] : []),
  ].join(', ')})`;
}

function resultOf({ cursor, waitFor, answer }: Operation): string {
  const list = cursor === undefined ? [] : [cursor === 'page_token' ? 'a list' : `a list, by \`${cursor}\``];
  const nothing = answer.kind === 'nothing' ? ['nothing'] : [];
  return [...list, ...nothing, ...(waitFor ? [`\`${waitFor === true ? 'waitFor' : waitFor}\``] : [])].join(', ');
}

const operationsTable = (): string =>
  tableOf(
    ['call', 'operation', 'mark', 'is retried', 'returns'],
    operations.map((operation) => [
      `\`${callOf(operation)}\``,
      `\`${operation.method} ${operation.path}\``,
      labelOf(operation).stability,
      RETRIES[operation.retrySafety],
      resultOf(operation),
    ]),
  );

const SAFE: Readonly<Record<RetrySafety, string>> = {
  always: 'none, but safe to send again',
  keyed: 'yes',
  unkeyed: 'none',
};

const writesTable = (): string =>
  tableOf(
    ['write', 'operation', '`Idempotency-Key`', '`API-Otp`', 'body'],
    operations
      .filter(({ method }) => method !== 'GET')
      .map(({ name, method, path, retrySafety, otp, body }) => [
        ...[`\`${name}\``, `${method} ${path}`, SAFE[retrySafety]],
        ...[otp === true ? 'required' : '', body === undefined ? 'none' : 'JSON'],
      ]),
  );

const comparedTable = (): string =>
  tableOf(
    ['operation', 'members of `data`', 'a difference is'],
    operations.flatMap(({ name, correlation = [] }) => {
      const [promised, unpromised] = [correlation.filter(isPromised), correlation.filter((one) => !isPromised(one))];
      return [
        ...(promised.length === 0 ? [] : [[`\`${name}\``, promised.map(comparedMember).join(', '), 'an error']]),
        ...(unpromised.length === 0 ? [] : [[`\`${name}\``, unpromised.map(comparedMember).join(', '), 'a warning']]),
      ];
    }),
  );

const isPromised = ({ isUnpromised }: Correlation): boolean => isUnpromised !== true;

/** For example `key` with `new_key`, or `from.amount`. */
function comparedMember({ member, body = member }: Correlation): string {
  const [path, other] = [member.join('.'), body.join('.')];
  return `\`${path}\`${path === other ? '' : ` with \`${other}\``}`;
}

const choicesTable = (): string =>
  tableOf(
    ['where', 'the sandbox'],
    OWN_CHOICES.map(({ operation, choice }) => [operation === '' ? 'everywhere' : `\`${operation}\``, choice]),
  );

const movesTable = (): string =>
  tableOf(
    ['resource', 'from', 'by'],
    Object.values<Lifecycle>(LIFECYCLES).flatMap(({ noun, states, always }) => {
      const rows = Object.entries(states).filter(([, methods]) => methods.length > 0);
      const all = always === undefined ? rows : [...rows, ['any state', always] as const];
      return all.map(([state, methods]) => {
        return [noun, always === methods ? state : `\`${state}\``, methods.map((name) => `\`${name}\``).join(', ')];
      });
    }),
  );

const faultsTable = (): string =>
  tableOf(
    ['fault', 'what the client sees', 'strikes', 'in `chaos`'],
    FAULT_NAMES.map((name) => {
      const { label, when, chaos } = FAULTS[name];
      return [`\`${name}\``, label, when, chaos.map(describeChaos).join(', ')];
    }),
  );

/** For example `after`, or `after, with 1,000 bytes a second`. */
function describeChaos({ when, bytesPerSecond }: ChaosFault): string {
  return bytesPerSecond === undefined ? when : `${when}, ${bytesPerSecond.toLocaleString('en-US')} bytes a second`;
}

/** The recipes as a program to copy from. Each ends with the calls that undo it. */
function recipesProgram(): string {
  const recipes = RECIPES.map(({ name, effect, calls, back }) => {
    const end = back === undefined ? ['// This cannot be undone.'] : ['// Undo it:', ...back.map(statementOf)];
    return [`// ${name}: ${effect}`, ...calls.map(statementOf), ...end].join('\n');
  });
  return `\`\`\`ts\n${recipes.join('\n\n')}\n\`\`\``;
}

/** Names in braces become members of the sandbox: `sandbox.credentials.apiKey`. */
function statementOf([method, ...args]: RecipeCall): string {
  const texts = args.map((arg) => inspect(arg, { breakLength: 110, depth: null, numericSeparator: true }));
  return `sandbox.${method}(${texts.join(', ')});`.replace(/'\{(\S+)\}'/, 'sandbox.$1');
}

const outcomesTable = (): string =>
  tableOf(
    ['operation', 'outcome', 'what happens'],
    KNOWN_OUTCOMES.map(({ operation, outcome, summary }) => [`\`${operation}\``, `\`${outcome}\``, summary]),
  );

/** The documents with a table each, between the lines `<!-- table: name -->` and `<!-- end -->`. */
export const TABLES: readonly { readonly document: string; readonly name: string; readonly make: () => string }[] = [
  { document: 'docs/reference/operations.md', name: 'operations', make: operationsTable },
  { document: 'docs/calls/concurrency.md', name: 'compared members', make: comparedTable },
  { document: 'docs/sandbox/sandbox-choices.md', name: 'own choices', make: choicesTable },
  { document: 'docs/sandbox/sandbox-look.md', name: 'moves', make: movesTable },
  { document: 'docs/sandbox/sandbox-trouble.md', name: 'faults', make: faultsTable },
  { document: 'docs/sandbox/sandbox-trouble.md', name: 'recipes', make: recipesProgram },
  { document: 'docs/sandbox/sandbox-trouble.md', name: 'outcomes', make: outcomesTable },
  { document: 'docs/reference/protocol.md', name: 'writes', make: writesTable },
  { document: 'docs/reference/protocol.md', name: 'request vectors', make: requestVectors },
  { document: 'docs/reference/protocol.md', name: 'webhook vectors', make: webhookVectors },
  { document: 'docs/reference/protocol.md', name: 'payloads', make: payloads },
];

/** Returns the document's text with its table made anew. */
export function withTable(text: string, name: string, table: string): string {
  const [begin, end] = [`<!-- table: ${name}, by npm run docs:tables -->\n`, '\n<!-- end -->'];
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`the document has no table "${name}"`);
  return `${text.slice(0, from + begin.length)}\n${table}\n${text.slice(to)}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const { document, name, make } of TABLES) {
    writeFileSync(document, withTable(readFileSync(document, 'utf8'), name, make()));
  }
}
