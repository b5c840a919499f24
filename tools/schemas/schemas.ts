/** JSON schemas of the package's types, with their docstrings and the rules that zod has. */
import ts from 'typescript';
import { DECIMAL_TEXT } from '../../src/schema/decimal.js';
import type { Components, Direction, JsonSchema } from './components.js';
import {
  defaultOf,
  isClosed,
  isIntegerText,
  limitsOf,
  type Rule,
  ruleOfItem,
  ruleOfMember,
  ruleOfVariant,
  textsOf,
} from './rules.js';
import type { Sources } from './sources.js';

const AMOUNT: JsonSchema = { type: 'string', pattern: DECIMAL_TEXT.source };

/** The client makes a number of it. */
const INTEGER_TEXT: JsonSchema = { type: ['string', 'integer'], pattern: '^(0|-?[1-9][0-9]{0,14})$' };

/** Types that need no name of their own. */
const SIMPLE = ts.TypeFlags.EnumLike | ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BooleanLike;

/** Types that a docstring names at its beginning. */
const FORMATS: readonly (readonly [RegExp, string])[] = [
  [/^ISO 8601, UTC/, 'date-time'],
  [/^UUID\./, 'uuid'],
];

/** Adds what else is known of a member. */
type Mark = (name: string, schema: JsonSchema) => JsonSchema;

/** Makes the schemas of one direction. Named types become components. */
export class Schemas {
  readonly #sources: Sources;
  readonly #components: Components;
  readonly #direction: Direction;
  readonly #mark: Mark;

  constructor(sources: Sources, components: Components, direction: Direction, mark: Mark) {
    this.#mark = mark;
    this.#sources = sources;
    this.#components = components;
    this.#direction = direction;
  }

  /** Makes the schema of a written type. Its names are kept. */
  ofNode(node: ts.TypeNode, rule?: Rule): JsonSchema {
    if (ts.isParenthesizedTypeNode(node)) return this.ofNode(node.type, rule);
    if (ts.isTypeOperatorNode(node) && node.operator === ts.SyntaxKind.ReadonlyKeyword)
      return this.ofNode(node.type, rule);
    if (ts.isArrayTypeNode(node)) return listOf(this.ofNode(node.elementType, ruleOfItem(rule)), rule);
    const { checker } = this.#sources;
    const type = checker.getTypeFromTypeNode(node);
    if (ts.isUnionTypeNode(node)) return this.#ofUnion(node, rule);
    const choice = ts.isIntersectionTypeNode(node) ? requiredOf(checker, node) : undefined;
    if (choice !== undefined) return { ...this.ofType(choice.members, rule), anyOf: choice.anyOf };
    if (!ts.isTypeReferenceNode(node)) return this.ofType(type, rule);
    return node.typeArguments === undefined ? this.#ofName(node.typeName, type, rule) : this.ofType(type, rule);
  }

  /** Makes the schema of a type whose name, if it has one, does not matter. */
  ofType(type: ts.Type, rule?: Rule): JsonSchema {
    const { flags } = type;
    if (isAmount(type)) return this.#amount({});
    if (flags & ts.TypeFlags.EnumLike) return { type: 'string' };
    if (flags & ts.TypeFlags.StringLiteral) return { type: 'string', const: (type as ts.StringLiteralType).value };
    if (flags & ts.TypeFlags.BooleanLike) return { type: 'boolean' };
    if (flags & ts.TypeFlags.StringLike || isOpenText(type)) return textOf(rule);
    if (flags & ts.TypeFlags.NumberLike)
      return isIntegerText(rule) ? INTEGER_TEXT : { type: 'number', ...limitsOf(rule) };
    if (type.isUnion())
      return this.#ofVariants(type.types, (one, index) => this.ofType(one, ruleOfVariant(rule, index)), rule);
    if (flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) return this.#objectOf(type, rule);
    return {};
  }

  /** Makes the schema of a text by its rules alone. */
  ofText(rule: Rule | undefined): JsonSchema {
    return textOf(rule);
  }

  /** Makes the schemas of the members of an object, with their docstrings. */
  membersOf(type: ts.Type, rule?: Rule): { properties: Record<string, JsonSchema>; required: string[] } {
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const member of this.#sources.checker.getPropertiesOfType(type)) {
      const schema = this.#ofMember(member, ruleOfMember(rule, member.name));
      if (schema === undefined) continue;
      properties[member.name] = this.#mark(member.name, schema);
      if (!mayBeAbsent(this.#sources.checker, member)) required.push(member.name);
    }
    return { properties, required };
  }

  /** Undefined for a member that must be left out, or that JSON does not have. */
  #ofMember(member: ts.Symbol, rule: Rule | undefined): JsonSchema | undefined {
    const { checker } = this.#sources;
    const type = checker.getTypeOfSymbol(member);
    if (checker.getNonNullableType(type).flags & ts.TypeFlags.Never) return undefined;
    const declared = member.valueDeclaration;
    const node = declared && ts.isPropertySignature(declared) ? declared.type : undefined;
    // A member of a generic type has another type than the one that is written.
    const isAsWritten = node !== undefined && checker.getTypeFromTypeNode(node) === type;
    const schema = { ...(isAsWritten ? this.ofNode(node, rule) : this.ofType(type, rule)), ...defaultOf(rule) };
    const description = this.#sources.docOf(member);
    if (description === undefined) return schema;
    return { ...(this.#direction === 'input' ? schema : withFormat(schema, description)), description };
  }

  /** A type of our sources becomes a component; others are written out. */
  #ofName(written: ts.EntityName, type: ts.Type, rule: Rule | undefined): JsonSchema {
    const { checker } = this.#sources;
    const named = checker.getSymbolAtLocation(written);
    const symbol = named && named.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(named) : named;
    const isParameter = symbol === undefined || (symbol.flags & ts.SymbolFlags.TypeParameter) !== 0;
    const isSimple = isAmount(type) || (type.flags & SIMPLE) !== 0;
    if (isParameter || isSimple) return this.ofType(type, rule);
    const { name } = symbol;
    const alias = symbol.declarations?.find(ts.isTypeAliasDeclaration);
    const isWritten = alias !== undefined && !type.isIntersection();
    const { description: inner, ...bare } = isWritten ? this.ofNode(alias.type, rule) : this.ofType(type, rule);
    const description = this.#sources.docOf(symbol) ?? inner;
    return this.#components.named(name, description === undefined ? bare : { description, ...bare }, this.#direction);
  }

  #ofUnion(node: ts.UnionTypeNode, rule: Rule | undefined): JsonSchema {
    const { checker } = this.#sources;
    const written = node.types.filter((one) => one.kind !== ts.SyntaxKind.UndefinedKeyword);
    const [only] = written;
    if (written.length === 1 && only !== undefined) return this.ofNode(only, rule);
    // The compiler sorts the parts of a union; the order in which they are written is the reader's.
    const nodes = new Map(written.map((one) => [checker.getTypeFromTypeNode(one), one]));
    const variants = [...nodes].flatMap(([one, own]) => (one.isUnion() && !isNamed(own) ? one.types : [one]));
    return this.#ofVariants(
      variants,
      (one, index) => {
        const inner = ruleOfVariant(rule, index);
        const own = nodes.get(one);
        return own === undefined ? this.ofType(one, inner) : this.ofNode(own, inner);
      },
      rule,
    );
  }

  #ofVariants(
    types: readonly ts.Type[],
    schemaOf: (type: ts.Type, index: number) => JsonSchema,
    rule: Rule | undefined,
  ): JsonSchema {
    const present = types.filter(({ flags }) => !(flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)));
    const isNullable = present.length < types.length && types.some(({ flags }) => flags & ts.TypeFlags.Null);
    if (present.some(isAmount) && present.every((one) => isAmount(one) || isText(one))) {
      return nullable(this.#amount(limitsOf(rule)), isNullable);
    }
    const texts = present.filter((one): one is ts.StringLiteralType => one.isStringLiteral()).map(({ value }) => value);
    const rest = present.filter((one) => !one.isStringLiteral() && !isText(one));
    const fixed = textsOf(rule);
    const variants: JsonSchema[] = [];
    if (this.#direction === 'input' && fixed !== undefined) variants.push({ type: 'string', enum: fixed });
    else {
      if (texts.length > 0) variants.push({ type: 'string', enum: texts });
      if (present.some(isText)) variants.push(textOf(rule));
    }
    variants.push(...rest.map((one) => schemaOf(one, types.indexOf(one))));
    const told = withoutKnown(this.#components, variants);
    const [only = {}] = told;
    if (told.length <= 1) return nullable(only, isNullable);
    // Of an input exactly one applies: members of the others are refused, or are not known.
    const isChoice =
      this.#direction === 'input' && told.every((one) => this.#components.resolved(one)['type'] === 'object');
    return nullable({ [isChoice ? 'oneOf' : 'anyOf']: told }, isNullable);
  }

  #amount(limits: JsonSchema): JsonSchema {
    const isUsual = !('maxLength' in limits);
    return isUsual ? this.#components.named('Decimal', AMOUNT, this.#direction) : { ...AMOUNT, ...limits };
  }

  #objectOf(type: ts.Type, rule: Rule | undefined): JsonSchema {
    const { properties, required } = this.membersOf(type, rule);
    const index = this.#sources.checker.getIndexInfoOfType(type, ts.IndexKind.String);
    const isOnlyIndex = index !== undefined && Object.keys(properties).length === 0;
    return {
      type: 'object',
      ...(Object.keys(properties).length > 0 ? { properties } : {}),
      ...(required.length > 0 ? { required } : {}),
      ...(index === undefined ? {} : { additionalProperties: isOnlyIndex ? this.ofType(index.type) : true }),
      ...(this.#direction === 'input' && index === undefined && isClosed(rule) ? { additionalProperties: false } : {}),
    };
  }
}

/** `Members & ({ a: … } | { b: … })`, where `Members` has all of them: some are required. */
function requiredOf(checker: ts.TypeChecker, { types: [base, choice] }: ts.IntersectionTypeNode) {
  const union = choice && ts.isParenthesizedTypeNode(choice) ? choice.type : choice;
  if (base === undefined || union === undefined || !ts.isUnionTypeNode(union)) return undefined;
  const members = checker.getTypeFromTypeNode(base);
  const namesOf = (type: ts.Type) => checker.getPropertiesOfType(type).map(({ name }) => name);
  const anyOf = union.types.map((one) => ({ required: namesOf(checker.getTypeFromTypeNode(one)) }));
  const known = namesOf(members);
  return anyOf.every(({ required }) => required.every((name) => known.includes(name))) ? { members, anyOf } : undefined;
}

const isAmount = (type: ts.Type): boolean => type.getSymbol()?.name === 'Decimal';

/** `string & {}`: any text beside the known ones. */
const isOpenText = (type: ts.Type): boolean =>
  type.isIntersection() && type.types.some(({ flags }) => flags & ts.TypeFlags.String);

const isText = (type: ts.Type): boolean => (type.flags & ts.TypeFlags.String) !== 0 || isOpenText(type);

const isNamed = (node: ts.TypeNode | undefined): boolean => node !== undefined && ts.isTypeReferenceNode(node);

function nullable(schema: JsonSchema, isNullable: boolean): JsonSchema {
  if (!isNullable) return schema;
  const { type } = schema;
  if (typeof type === 'string' && !('enum' in schema) && !('const' in schema))
    return { ...schema, type: [type, 'null'] };
  return { anyOf: [schema, { type: 'null' }] };
}

/** JSON leaves out what is undefined. */
function mayBeAbsent(checker: ts.TypeChecker, member: ts.Symbol): boolean {
  if (member.flags & ts.SymbolFlags.Optional) return true;
  const type = checker.getTypeOfSymbol(member);
  return type.isUnion() && type.types.some(({ flags }) => flags & ts.TypeFlags.Undefined);
}

function withFormat(schema: JsonSchema, description: string): JsonSchema {
  if (schema['type'] !== 'string') return schema;
  const format = FORMATS.find(([begin]) => begin.test(description))?.[1];
  return format === undefined ? schema : { ...schema, format };
}

function textOf(rule: Rule | undefined): JsonSchema {
  const fixed = textsOf(rule);
  return fixed === undefined ? { type: 'string', ...limitsOf(rule) } : { type: 'string', enum: fixed };
}

function listOf(items: JsonSchema, rule: Rule | undefined): JsonSchema {
  return { type: 'array', items, ...limitsOf(rule) };
}

/** The variant that a version of the package does not know has none of the known types. */
function withoutKnown(components: Components, variants: readonly JsonSchema[]): JsonSchema[] {
  const types = variants.map((one) => {
    const { properties } = components.resolved(one) as { properties?: Readonly<Record<string, JsonSchema>> };
    return properties?.['type'];
  });
  const known = types.flatMap((type) => (type?.['const'] === undefined ? [] : [type['const']]));
  if (known.length === 0) return [...variants];
  return variants.map((one, index) => {
    if (types[index] === undefined || types[index]['const'] !== undefined) return one;
    // As a pattern: programs that make random data do not keep the type of what has a `not`.
    const other = { type: 'string', pattern: `^(?!(${known.join('|')})$)` };
    return { ...one, properties: { type: other }, required: ['type'] };
  });
}
