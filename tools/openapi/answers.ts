/** The schema of a success: the value that the client's method gives, in its envelope. */
import ts from 'typescript';
import type { Operation } from '../../src/schema/operation.js';
import type { JsonSchema } from '../schemas/components.js';
import { limitsOf, type Rule, ruleOfItem, ruleOfMember, schemaOf } from '../schemas/rules.js';
import { methodOf, type Parts } from './parts.js';

type ObjectSchema = { type: 'object'; properties: Record<string, JsonSchema>; required: string[] };

/** Undefined for an operation whose answer is not documented, and of no meaning. */
export function answerSchema(parts: Parts, operation: Operation): JsonSchema | undefined {
  const { answer } = operation;
  if (answer.kind === 'nothing') return answer.body && schemaOf(answer.body());
  const [value, meta] = typeArguments(parts, operation);
  if (value === undefined) throw new Error(`${operation.name}: the type of the answer is not written`);
  if (answer.kind === 'json')
    return answer.unwrap ? wrapped(['data'], parts.output.ofNode(value)) : parts.output.ofNode(value);
  const rule = answer.schema();
  if (operation.cursor !== undefined) return page(parts, rule, value, meta);
  const path: string[] = [];
  const selected = answer.select(witness(path));
  if (isWitness(selected)) return wrapped(path, parts.output.ofNode(value, ruleAt(rule, path)));
  return withItems(parts, rule, value);
}

/** The type arguments of the method's `ApiPromise` or `PagedList`, as they are written. */
function typeArguments(parts: Parts, operation: Operation): readonly (ts.TypeNode | undefined)[] {
  const node = methodOf(parts, operation).signature.getDeclaration().type;
  return node !== undefined && ts.isTypeReferenceNode(node) ? (node.typeArguments ?? []) : [];
}

function page({ output, sources }: Parts, rule: Rule, item: ts.TypeNode, meta: ts.TypeNode | undefined): ObjectSchema {
  const echoes = meta && output.membersOf(sources.checker.getTypeFromTypeNode(meta), rule);
  const items = ruleOfMember(rule, 'data');
  const token = { type: ['string', 'null'], ...limitsOf(ruleOfMember(rule, 'next_page_token')) };
  const description = 'The page that follows. Absent: there is none.';
  return {
    type: 'object',
    properties: {
      // The most items that the client reads are its own limit, and no fact of the service.
      data: { type: 'array', items: output.ofNode(item, ruleOfItem(items)) },
      ...echoes?.properties,
      next_page_token: { ...token, description },
    },
    required: ['data', ...(echoes?.required ?? [])],
  };
}

/** `{ items, …echoes }` of the method is `{ data, …echoes }` in the answer. */
function withItems({ output, sources }: Parts, rule: Rule, value: ts.TypeNode): ObjectSchema {
  const { properties, required } = output.membersOf(sources.checker.getTypeFromTypeNode(value), rule);
  const { items, ...echoes } = properties;
  if (items === undefined) throw new Error('the answer has no items');
  return {
    type: 'object',
    properties: { data: items, ...echoes },
    required: required.map((name) => (name === 'items' ? 'data' : name)),
  };
}

function wrapped(path: readonly string[], schema: JsonSchema): JsonSchema {
  return path.reduceRight<JsonSchema>(
    (inner, name) => ({ type: 'object', properties: { [name]: inner }, required: [name] }),
    schema,
  );
}

const ruleAt = (rule: Rule, path: readonly string[]): Rule | undefined =>
  path.reduce<Rule | undefined>((at, name) => ruleOfMember(at, name), rule);

const witnesses = new WeakSet<object>();
const isWitness = (value: unknown): boolean => typeof value === 'object' && value !== null && witnesses.has(value);

/** A body that notes which member is taken out of it. It passes for a list and for an object. */
function witness(path: string[]): unknown {
  const made: unknown[] = new Proxy([], {
    has: () => true,
    get(_, name) {
      path.push(String(name));
      return witness(path);
    },
  });
  witnesses.add(made);
  return made;
}
