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

const AMOUNT: JsonSchema = { type: 'string', format: 'decimal', pattern: DECIMAL_TEXT.source };

/** The client makes a number of it. */
const INTEGER_TEXT: JsonSchema = { type: ['string', 'integer'], pattern: '^(0|-?[1-9][0-9]{0,14})$' };

/** Generic types whose argument has the same form in JSON. */
const TRANSPARENT = ['Promise', 'Readonly', 'Wire'];

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
  /** Types whose schema is being made: one that contains itself is a reference. */
  readonly #open = new Set<string>();

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
    if (ts.isUnionTypeNode(node)) return this.#ofUnion(node, type, rule);
    const choice = ts.isIntersectionTypeNode(node) ? requiredOf(checker, node) : undefined;
    if (choice !== undefined) return { ...this.ofType(choice.members, rule), anyOf: choice.anyOf };
    if (!ts.isTypeReferenceNode(node)) return this.ofType(type, rule);
    const [argument] = node.typeArguments ?? [];
    if (argument === undefined) return this.#ofName(node.typeName, type, rule);
    const name = node.typeName.getText();
    if (TRANSPARENT.includes(name)) return this.ofNode(argument, rule);
    if (name === 'ReadonlyArray' || name === 'Array') return listOf(this.ofNode(argument, ruleOfItem(rule)), rule);
    return this.ofType(type, rule);
  }

  /** Makes the schema of a type whose name, if it has one, does not matter. */
  ofType(type: ts.Type, rule?: Rule): JsonSchema {
    const { checker } = this.#sources;
    const { flags } = type;
    if (isAmount(type)) return this.#amount({});
    if (flags & ts.TypeFlags.EnumLike) return { type: 'string' };
    if (flags & ts.TypeFlags.StringLiteral) return { type: 'string', const: (type as ts.StringLiteralType).value };
    if (flags & ts.TypeFlags.NumberLiteral) return { type: 'number', const: (type as ts.NumberLiteralType).value };
    if (flags & ts.TypeFlags.Null) return { type: 'null' };
    if (flags & ts.TypeFlags.BooleanLike) return { type: 'boolean', ...literalOf(checker, type) };
    if (flags & ts.TypeFlags.StringLike || isOpenText(type)) return textOf(rule);
    if (flags & ts.TypeFlags.NumberLike)
      return isIntegerText(rule) ? INTEGER_TEXT : { type: 'number', ...limitsOf(rule) };
    if (flags & (ts.TypeFlags.Void | ts.TypeFlags.Undefined)) return { type: 'null' };
    if (flags & ts.TypeFlags.NonPrimitive) return { type: 'object' };
    if (type.isUnion())
      return this.#ofVariants(type.types, (one, index) => this.ofType(one, ruleOfVariant(rule, index)), rule);
    if (checker.isTupleType(type)) return this.#tupleOf(type);
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type as ts.TypeReference);
      return listOf(item === undefined ? {} : this.ofType(item, ruleOfItem(rule)), rule);
    }
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
    const bare = checker.getNonNullableType(type);
    if (bare.flags & (ts.TypeFlags.Never | ts.TypeFlags.Undefined) && !mayBeNull(type)) return undefined;
    if (bare.getCallSignatures().length > 0) return undefined;
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
    if (this.#open.has(name)) return { $ref: `#/components/schemas/${name}` };
    this.#open.add(name);
    try {
      const alias = symbol.declarations?.find(ts.isTypeAliasDeclaration);
      const schema =
        alias === undefined || type.isIntersection() ? this.ofType(type, rule) : this.ofNode(alias.type, rule);
      const description = this.#sources.docOf(symbol);
      const { description: _, ...bare } = schema;
      return this.#components.named(
        name,
        description === undefined ? schema : { description, ...bare },
        this.#direction,
      );
    } finally {
      this.#open.delete(name);
    }
  }

  #ofUnion(node: ts.UnionTypeNode, type: ts.Type, rule: Rule | undefined): JsonSchema {
    const { checker } = this.#sources;
    const written = node.types.filter((one) => one.kind !== ts.SyntaxKind.UndefinedKeyword);
    const [only] = written;
    if (written.length === 1 && only !== undefined) return this.ofNode(only, rule);
    // The compiler sorts the parts of a union; the order in which they are written is the reader's.
    const nodes = new Map(written.map((one) => [checker.getTypeFromTypeNode(one), one]));
    if (!type.isUnion()) return this.ofType(type, rule);
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
    const both = rest.filter(({ flags }) => flags & ts.TypeFlags.BooleanLiteral).length === 2;
    if (both) variants.push({ type: 'boolean' });
    const others = rest.filter(({ flags }) => !(both && flags & ts.TypeFlags.BooleanLiteral));
    variants.push(...others.map((one) => schemaOf(one, types.indexOf(one))));
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

  #tupleOf(type: ts.Type): JsonSchema {
    const items = this.#sources.checker.getTypeArguments(type as ts.TypeReference).map((one) => this.ofType(one));
    return { type: 'array', prefixItems: items, items: {}, minItems: items.length, maxItems: items.length };
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

const mayBeNull = (type: ts.Type): boolean =>
  (type.flags & ts.TypeFlags.Null) !== 0 ||
  (type.isUnion() && type.types.some(({ flags }) => flags & ts.TypeFlags.Null));

function literalOf(checker: ts.TypeChecker, type: ts.Type): JsonSchema {
  return type.flags & ts.TypeFlags.BooleanLiteral ? { const: checker.typeToString(type) === 'true' } : {};
}

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
