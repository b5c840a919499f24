import fc, { type Arbitrary } from 'fast-check';
import { valuesOf } from './values.js';

export type Schema = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Content {
  readonly 'application/json': { readonly schema: Schema; readonly example?: unknown };
}

/** One operation of the document, where it is. */
export interface Described {
  readonly operationId: string;
  readonly path: string;
  readonly method: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Content }>>;
}

interface Document {
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly schemas: Record<string, Schema>;
  };
}

/** `valid` by the document; `nearly valid`: one part breaks a rule; `hostile`: any text and any bytes. */
type Kind = 'valid' | 'nearly valid' | 'hostile';

export interface FuzzedRequest {
  readonly kind: Kind;
  readonly operation: Described;
  readonly target: string;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Requests of all operations, made from the document alone. */
export function requestsOf(api: Document, operations: readonly Described[]): Arbitrary<FuzzedRequest> {
  const kinds = fc.constantFrom<Kind>('valid', 'nearly valid', 'hostile');
  return fc
    .tuple(kinds, fc.constantFrom(...operations))
    .chain(([kind, operation]) => requestOf(api, kind, operation).map((parts) => ({ kind, operation, ...parts })));
}

function requestOf(api: Document, kind: Kind, operation: Described) {
  const parameters = (operation.parameters ?? []).map((one) =>
    '$ref' in one ? (api.components.parameters[one.$ref.split('/').at(-1) ?? ''] as Parameter) : one,
  );
  const of = (place: Parameter['in']) => parameters.filter((one) => one.in === place);
  const content = operation.requestBody?.content['application/json'];
  return fc
    .record({
      ids: fc.tuple(...of('path').map((one) => idOf(api, kind, one))),
      query: fc.tuple(...of('query').map((one) => queryOf(api, kind, one))),
      surplus: kind === 'hostile' ? fc.array(fc.tuple(hostileText, hostileText), { maxLength: 2 }) : fc.constant([]),
      body: content === undefined ? fc.constant(undefined) : bodyOf(api, kind, content),
      key: fc.option(fc.uuid({ version: 4 }), { nil: undefined }),
    })
    .map(({ ids, query, surplus, body, key }) => {
      const texts = [...ids];
      const path = operation.path.replace(/\{\w+\}/g, () => encodeURIComponent(texts.shift() ?? ''));
      const pairs = [...query.flat(), ...surplus].map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
      return {
        target: canonical(pairs.length === 0 ? path : `${path}?${pairs.join('&')}`),
        body,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(of('header').some(({ name }) => name === 'API-Otp') ? { 'api-otp': '123456' } : {}),
          ...(of('header').some(({ name }) => name === 'Idempotency-Key') && key !== undefined
            ? { 'idempotency-key': key }
            : {}),
        },
      };
    });
}

/** As `Request` writes it: a dot segment would change the path. */
const canonical = (target: string): string => {
  const { pathname, search } = new URL(`https://sandbox.example${target}`);
  return pathname + search;
};

/** Halves of surrogate pairs cannot be sent. */
const wellFormed = (text: string): string => Buffer.from(text).toString();

const encoded = (text: string): string => encodeURIComponent(wellFormed(text));

const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }).map((text) => wellFormed(text)),
  fc.constantFrom(
    '__proto__',
    'constructor',
    '',
    ' ',
    '../..',
    '%00',
    "' OR 1=1 --",
    '<script>',
    '1e999',
    '-0',
    'NaN',
    '\u202e',
  ),
  fc.constant('9'.repeat(2_000)),
);

/** Mostly that of the example, which exists in the seed. */
function idOf(api: Document, kind: Kind, { schema, example }: Parameter): Arbitrary<string> {
  const seeded = typeof example === 'string' ? [{ weight: 6, arbitrary: fc.constant(example) }] : [];
  const drawn = valuesOf(api.components.schemas, schema).map(String);
  const wrong = kind === 'hostile' ? [{ weight: 3, arbitrary: hostileText }] : [];
  // An empty part or one of dots would be another path.
  return fc
    .oneof(...seeded, { weight: 1, arbitrary: drawn }, ...wrong)
    .map((text) => (/^\.{0,2}$/.test(text) ? 'x' : wellFormed(text)));
}

function queryOf(api: Document, kind: Kind, { name, schema, required }: Parameter): Arbitrary<[string, string][]> {
  const valid = valuesOf(api.components.schemas, schema).map((value) => pairsOf(name, value));
  const wrong = hostileText.map((text): [string, string][] => [[name, text]]);
  const given = kind === 'valid' ? valid : fc.oneof({ weight: 4, arbitrary: valid }, { weight: 1, arbitrary: wrong });
  if (required === true && kind === 'valid') return given;
  // The objects of a list begin at 0, without a gap.
  if (kind === 'valid' && /\[[1-9]\]/.test(name)) return fc.constant([]);
  return fc.oneof({ weight: 2, arbitrary: fc.constant<[string, string][]>([]) }, { weight: 1, arbitrary: given });
}

function pairsOf(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) return value.map((item) => [name, String(item)]);
  return [[name, String(value)]];
}

function bodyOf(api: Document, kind: Kind, { schema, example }: Content['application/json']): Arbitrary<string> {
  const drawn = valuesOf(api.components.schemas, schema);
  const valid = fc.oneof({ weight: 1, arbitrary: fc.constant(example) }, { weight: 2, arbitrary: drawn });
  if (kind === 'valid') return valid.map((value) => JSON.stringify(value));
  if (kind === 'nearly valid')
    return fc.tuple(valid, fc.nat(), wrongValue).map(([value, at, wrong]) => JSON.stringify(spoiled(value, at, wrong)));
  return fc.oneof(
    hostileText,
    fc.json({ maxDepth: 4 }),
    fc
      .tuple(valid, fc.nat(), fc.jsonValue({ maxDepth: 2 }))
      .map(([value, at, wrong]) => JSON.stringify(spoiled(value, at, wrong))),
    fc.constantFrom('['.repeat(5_000), '{"__proto__":{"from":1}}', '{"from":', 'null', '1e400', '"\\ud800"'),
  );
}

const wrongValue = fc.constantFrom<unknown>(
  undefined,
  null,
  0,
  -1,
  true,
  '',
  'x',
  [],
  {},
  'x'.repeat(5_000),
  '12,5',
  1e21,
);

/** The same value with one of its members replaced, left out, or with one too many. */
function spoiled(value: unknown, at: number, wrong: unknown): unknown {
  if (typeof value !== 'object' || value === null) return wrong;
  const names = Object.keys(value);
  const place = at % (names.length + 1);
  const name = names[place];
  if (name === undefined) return { ...value, surplus: wrong };
  const copy: Record<string, unknown> = { ...value };
  const inner = copy[name];
  copy[name] =
    typeof inner === 'object' && inner !== null && at % 3 > 0 ? spoiled(inner, Math.floor(at / 7), wrong) : wrong;
  return Array.isArray(value) ? Object.values(copy) : copy;
}
