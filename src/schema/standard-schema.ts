import { type CallFacts, type Issue, MAX_ISSUES, ProviderError } from '../errors.js';
import { TOO_DEEP } from './reading.js';

/** The used part of the Standard Schema interface (standardschema.dev): zod, valibot and others. */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
      }[];
    };

/**
 * Lets the caller's schema read a value, and returns its result or its issues.
 *
 * @throws ProviderError when the schema throws.
 */
export async function readStandard<Output>(
  schema: StandardSchema<Output>,
  value: unknown,
  facts: CallFacts,
): Promise<{ readonly value: Output } | { readonly issues: readonly Issue[] }> {
  const result = await run(schema, value, facts);
  if (result.issues === undefined) return { value: result.value };
  const issues = result.issues.slice(0, MAX_ISSUES);
  return { issues: issues.map(({ path = [], message }) => ({ path: path.map(keyOf).join('.'), message })) };
}

async function run<Output>(schema: StandardSchema<Output>, value: unknown, facts: CallFacts) {
  try {
    return await schema['~standard'].validate(value);
  } catch (cause) {
    // The stack overflowed: the value is too deep, or too much of it is wrong.
    if (cause instanceof RangeError) return { issues: [{ message: TOO_DEEP }] };
    throw new ProviderError(`the schema failed (${facts.operation}); see cause`, facts, { cause });
  }
}

const keyOf = (segment: PropertyKey | { readonly key: PropertyKey }) =>
  String(typeof segment === 'object' ? segment.key : segment);
