import * as z from 'zod/mini';
import { DECIMAL_TEXT } from '../../../schema/decimal.js';
import type { Operation } from '../../../schema/operation.js';
import { IN_OUR_WORDS } from '../../../schema/validate/validate.js';
import { ASSET_ROWS } from '../market/asset-rows.js';
import { assetKey } from '../market/catalogue.js';
import { Money } from '../money/money.js';
import type { RecordKind, SavedRecords } from './records.js';

const NOT_DECIMAL = 'must be a decimal number as a string';

/** Text of a decimal number with or without a sign. */
export const decimalText = z.string().check(z.regex(DECIMAL_TEXT, NOT_DECIMAL));
export const decimal = z.pipe(
  decimalText,
  z.transform((text) => new Money(text)),
);

/** Text of a decimal number without a sign. */
export const amountText = z.string().check(z.regex(/^[0-9]+(\.[0-9]+)?$/, `${NOT_DECIMAL}, without a sign`));
export const amount = z.pipe(
  amountText,
  z.transform((text) => new Money(text)),
);

export const milliseconds = z.number().check(z.nonnegative());
export const moment = z.iso.datetime();

const ASSET_KEYS: ReadonlySet<string> = new Set(
  Object.entries(ASSET_ROWS).flatMap(([type, rows]) => rows.map(([symbol]) => assetKey({ type, symbol }))),
);

/** Key of an asset that the sandbox has. */
export const knownAsset = z.string().check(z.refine((key) => ASSET_KEYS.has(key), 'is not an asset of the sandbox'));

/** An asset that the sandbox has, with or without an amount. */
export const knownAssetRef = z
  .looseObject({ symbol: z.string(), type: z.string(), amount: z.optional(amountText) })
  .check(z.refine((side) => ASSET_KEYS.has(assetKey(side)), 'is not an asset of the sandbox'));

/** A side of a quote. */
export const assetSide = z
  .looseObject({ symbol: z.string(), type: z.string(), amount: amountText })
  .check(z.refine((side) => ASSET_KEYS.has(assetKey(side)), 'is not an asset of the sandbox'));

/**
 * A value of an operation's response, saved as it is. It stands at `path` of the response and must
 * follow its rules. `shape`: further rules for members that the sandbox itself reads.
 */
export function answered<T>(
  { answer }: Operation,
  path: readonly (string | 0)[],
  shape: z.core.$ZodLooseShape = {},
): z.core.$ZodType<T, T> {
  const more = z.looseObject(shape);
  return z.custom<T>().check(
    z.superRefine((value, context) => {
      const whole = path.reduceRight<unknown>((inner, name) => (name === 0 ? [inner] : { [name]: inner }), value);
      const ofAnswer =
        answer.kind === 'value' ? z.safeParse(answer.schema(), whole, IN_OUR_WORDS).error?.issues : undefined;
      const issues = (ofAnswer ?? []).map((issue) => ({ ...issue, path: issue.path.slice(path.length) }));
      for (const issue of [...issues, ...(z.safeParse(more, value, IN_OUR_WORDS).error?.issues ?? [])]) {
        context.addIssue({ code: 'custom', path: issue.path, message: issue.message });
      }
    }),
  );
}

/** The records of one owner. A kind without records is absent. */
export function recordsOf(kinds: readonly RecordKind<never>[]): z.core.$ZodType<SavedRecords, SavedRecords> {
  const shape = kinds.map(({ name, schema }) => [
    name,
    z.optional(z.array(z.tuple([z.string(), schema() as unknown as z.core.$ZodType]))),
  ]);
  return z.strictObject(Object.fromEntries(shape)) as unknown as z.core.$ZodType<SavedRecords, SavedRecords>;
}
