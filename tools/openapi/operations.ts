/** One operation as OpenAPI describes it. */
import ts from 'typescript';
import { labelOf } from '../../src/resources/labels.js';
import { OWN_CHOICES } from '../../src/sandbox/own-choices.js';
import type { Operation, RetrySafety } from '../../src/schema/operation.js';
import type { Example } from '../examples/examples.js';
import type { JsonSchema } from '../schemas/components.js';
import { type Rule, ruleOfMember } from '../schemas/rules.js';
import { answerSchema } from './answers.js';
import type { Parameter } from './document.js';
import { errorResponses } from './errors.js';
import { camelCase, makingMark, parameterMarks } from './id-marks.js';
import { methodOf, type Parts } from './parts.js';

const IDEMPOTENCY: Readonly<Record<RetrySafety, string>> = { always: 'safe', keyed: 'keyed', unkeyed: 'unkeyed' };

/** Makes the part of `paths` that describes one operation. */
export function describeOperation(parts: Parts, operation: Operation): JsonSchema {
  const { symbol } = methodOf(parts, operation);
  const example = parts.examples.get(operation.name);
  const invented = OWN_CHOICES.filter((one) => one.operation === operation.name).map(({ choice }) => choice);
  const parameters = [
    ...pathParameters(parts, operation, symbol, example),
    ...queryParameters(parts, operation, example),
    ...headers(parts, operation, example),
  ];
  return {
    operationId: operation.name,
    summary: labelOf(operation).title,
    description: parts.sources.docOf(symbol) ?? labelOf(operation).title,
    tags: [tagOf(operation)],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBody(parts, operation, symbol, example),
    responses: {
      200: success(parts, operation, example),
      ...errorResponses(operation.name, parts.sources.tagsOf(symbol, 'throws')),
    },
    'x-stability': labelOf(operation).stability,
    'x-idempotency': IDEMPOTENCY[operation.retrySafety],
    ...(operation.cursor === undefined
      ? {}
      : { 'x-pagination': { request: operation.cursor, response: 'next_page_token', items: 'data' } }),
    ...(operation.secretMember === undefined ? {} : { 'x-secret': operation.secretMember }),
    ...makingMark(operation),
    ...(invented.length > 0 ? { 'x-invented': invented } : {}),
  };
}

/** The group of an operation, for example `accounts.quotes`. */
export const tagOf = ({ name }: Operation): string => name.slice(0, name.lastIndexOf('.'));

function pathParameters(
  { sources, input, parameters }: Parts,
  operation: Operation,
  symbol: ts.Symbol,
  example?: Example,
) {
  const rules = operation.params?.();
  return Array.from(operation.path.matchAll(/\{(\w+)\}/g), ([, name = '']) => {
    const description = sources.docOfParameter(symbol, camelCase(name));
    const given = example?.params?.[name];
    return parameters.named(pascalCase(name), {
      name,
      in: 'path',
      required: true,
      ...(description === undefined ? {} : { description }),
      schema: { ...input.ofText(ruleOfMember(rules, name)), ...parameterMarks(operation, name) },
      ...(given === undefined ? {} : { example: given }),
    });
  });
}

function queryParameters(parts: Parts, operation: Operation, example?: Example): object[] {
  const node = typeOfArgument(parts, operation, 'params');
  if (node === undefined) return [];
  const type = parts.sources.checker.getTypeFromTypeNode(node);
  const { properties, required } = parts.input.membersOf(type, operation.query?.());
  return Object.entries(properties).flatMap(([name, { description, ...schema }]): object[] => {
    const given = example?.query?.[name];
    const parameter = {
      name,
      in: 'query',
      ...(required.includes(name) ? { required: true } : {}),
      ...(description === undefined ? {} : { description }),
      schema,
    };
    const whole = { ...parameter, ...(given === undefined ? {} : { example: given }) };
    return itemParameters(parts, parameter, given) ?? [whole];
  });
}

/** Number of objects of a list in a query that have parameters of their own. */
const NAMED_ITEMS = 3;

/**
 * The members of objects in a list are sent as `assets[0][symbol]=BTC`. Generators send no style of
 * OpenAPI in this form, so each member is a parameter.
 */
function itemParameters(
  { components }: Parts,
  list: Pick<Parameter, 'name' | 'schema'>,
  given: unknown,
): object[] | undefined {
  const { type, items = {} } = list.schema as { type?: unknown; items?: JsonSchema };
  const { properties } = type === 'array' ? components.resolved(items) : {};
  if (properties === undefined) return undefined;
  components.drop(items);
  return [...Array(NAMED_ITEMS).keys()].flatMap((index) =>
    Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(([member, schema]) => {
      const example = (given as readonly JsonSchema[] | undefined)?.[index]?.[member];
      const name = `${list.name}[${index}][${member}]`;
      return { ...list, name, schema, ...(example === undefined ? {} : { example }) };
    }),
  );
}

function headers({ parameters }: Parts, { otp, retrySafety }: Operation, example?: Example): JsonSchema[] {
  const needed: JsonSchema[] = [];
  if (otp === true) needed.push(parameters.named('ApiOtp', { ...OTP, ...(example ? { example: '123456' } : {}) }));
  if (retrySafety === 'keyed') needed.push(parameters.named('IdempotencyKey', IDEMPOTENCY_KEY));
  return needed;
}

const OTP = {
  name: 'API-Otp',
  in: 'header',
  required: true,
  description: 'A one-time password of the partner.',
  schema: { type: 'string', minLength: 1 },
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A UUIDv4 that the caller draws for each wanted effect. The header `Idempotent-Replayed` marks a replayed response. That a request with a used key has no second effect is an assumption.',
  schema: {
    type: 'string',
    pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$',
  },
};

function requestBody(parts: Parts, operation: Operation, symbol: ts.Symbol, example?: Example): JsonSchema {
  const node = typeOfArgument(parts, operation, 'body');
  if (operation.body === undefined || node === undefined) return {};
  const description = parts.sources.docOfParameter(symbol, 'body');
  const schema = parts.input.ofNode(node, operation.body() as Rule);
  return {
    requestBody: {
      required: true,
      ...(description === undefined ? {} : { description }),
      content: { 'application/json': { schema, ...(example === undefined ? {} : { example: example.body }) } },
    },
  };
}

function success(parts: Parts, operation: Operation, example?: Example): JsonSchema {
  const schema = answerSchema(parts, operation);
  return {
    description: schema === undefined ? 'Done. The body has no meaning.' : 'Done.',
    ...(operation.retrySafety === 'keyed'
      ? { headers: { 'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' } } }
      : {}),
    ...(schema === undefined
      ? {}
      : {
          content: {
            'application/json': { schema, ...(example?.answer === undefined ? {} : { example: example.answer }) },
          },
        }),
  };
}

/** Returns the written type of an argument of the client's method. */
function typeOfArgument(parts: Parts, operation: Operation, name: string): ts.TypeNode | undefined {
  const argument = methodOf(parts, operation).signature.parameters.find((one) => one.name === name)?.valueDeclaration;
  return argument && ts.isParameter(argument) ? argument.type : undefined;
}

function pascalCase(name: string): string {
  const camel = camelCase(name);
  return camel.charAt(0).toUpperCase() + camel.slice(1);
}
