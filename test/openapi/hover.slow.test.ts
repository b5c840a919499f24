import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { operations } from '../../src/resources/operations.js';
import { makeExamples } from '../../tools/examples/examples.js';
import { makeDocuments } from '../../tools/openapi/build.js';
import { Sources } from '../../tools/schemas/sources.js';
import { operationPage } from '../../tools/site/operations/page.js';

const document = JSON.parse((await makeDocuments()).get('openapi.json') ?? '');
const examples = await makeExamples();
const sources = new Sources();
const client = sources.exported('src/index.ts', 'PartnerClient');

/** A member of `params` or `body`. */
interface Member {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
}

/** What the editor shows of the members of an argument. */
function hoverOf(operation: string, argument: 'params' | 'body'): Member[] {
  const method = sources.memberAt(client, operation.split('.'));
  const signature = method && sources.signatureOf(method);
  const parameter = signature?.parameters.find(({ name }) => name === argument);
  if (parameter === undefined) return [];
  const type = sources.checker.getNonNullableType(sources.checker.getTypeOfSymbol(parameter));
  return sources.checker.getPropertiesOfType(type).map((member) => ({
    name: member.name,
    required: (member.flags & ts.SymbolFlags.Optional) === 0,
    description: sources.docOf(member) ?? '',
  }));
}

/** The name of the list to whose objects a parameter belongs, for example `assets[0][symbol]`. */
const ofList = (name: string): string => name.replace(/\[.*\]/, '');

/** What the document says of them. */
function describedOf({ path, method, query }: (typeof operations)[number], argument: 'params' | 'body') {
  const described = document.paths[path][method.toLowerCase()];
  if (argument === 'params') {
    if (query === undefined) return [];
    return described.parameters
      .map(resolved)
      .filter((parameter: { in: string }) => parameter.in === 'query')
      .filter(({ name }: Member) => !name.includes('[') || name.endsWith('[0][symbol]'))
      .map(({ name = '', required = false, description = '' }: Partial<Member>) => {
        return { name: ofList(name), required, description };
      });
  }
  const forms = formsOf(described.requestBody?.content['application/json'].schema);
  const names = new Set(forms.flatMap(({ properties = {} }) => Object.keys(properties)));
  return [...names].map((name) => {
    const own = forms.map(({ properties }) => properties?.[name]).find((schema) => schema !== undefined);
    const required = forms.every((form) => form.required?.includes(name) === true);
    return { name, required, description: own?.description ?? '' };
  });
}

interface Form {
  readonly $ref?: string;
  readonly oneOf?: readonly Form[];
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
  readonly required?: readonly string[];
}

function resolved<Part extends { readonly $ref?: string }>(part: Part): Part {
  const [kind = '', name = ''] = part.$ref?.split('/').slice(2) ?? [];
  return part.$ref === undefined ? part : document.components[kind][name];
}

/** The forms of a body: more than one if exactly one of several applies. */
function formsOf(schema: Form | undefined): Form[] {
  if (schema === undefined) return [];
  const plain = resolved(schema);
  return plain.oneOf === undefined ? [plain] : plain.oneOf.flatMap(formsOf);
}

/** The cells of the page's row of a member: its path, if it is required, and its meaning. */
function rowsOf(operation: (typeof operations)[number]): string[][] {
  const example = examples.get(operation.name);
  if (example === undefined) throw new Error(`${operation.name} has no example`);
  const [input = ''] = operationPage({ operation, example, document, reference: undefined }).split('\n## Answer');
  return input
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.slice(2, -2).split(/ \| /));
}

const cases = operations.flatMap((operation) =>
  (['params', 'body'] as const).flatMap((argument) =>
    hoverOf(operation.name, argument).length > 0
      ? [[`${argument} of ${operation.name}`, operation, argument] as const]
      : [],
  ),
);

describe('a member reads the same in the editor, in openapi.json and on its page', () => {
  it('in most operations', () => expect(cases.length).toBeGreaterThan(35));

  it.each(cases)('%s', (_, operation, argument) => {
    const hover = hoverOf(operation.name, argument);
    const described = describedOf(operation, argument);
    const byName = (a: Member, b: Member) => (a.name < b.name ? -1 : 1);
    expect(described.sort(byName)).toEqual(hover.sort(byName));
    const rows = rowsOf(operation);
    for (const { name, required, description } of hover) {
      const row = rows.find(([path, place]) => ofList(path ?? '') === `\`${name}\`` && place !== 'path');
      const [isRequired, meaning] = argument === 'params' ? [row?.[2], row?.[4]] : [row?.[1], row?.[3]];
      expect([name, isRequired]).toEqual([name, required ? 'yes' : '']);
      if (description !== '') expect(meaning).toBe(description.replaceAll('|', '\\|').replaceAll('\n', ' '));
    }
  });
});
