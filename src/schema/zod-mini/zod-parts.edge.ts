import { isRecord } from '../../util/options.js';

/**
 * The used parts of `zod/mini`, again: zod's own are 30 kB of each worker, these are 5. A test
 * holds the issues that they raise against zod's.
 */

/** A broken rule, as `messages.ts` reads it. */
interface RawIssue {
  readonly code: string;
  readonly input: unknown;
  /** The schema or check that raised it. */
  readonly inst?: Rule;
  /** The schema whose rule it is. */
  schema?: Schema;
  /** Names and indices from the value to the place of the issue. */
  path?: readonly PropertyKey[];
  readonly message?: string;
  /** True if further checks of the value follow. */
  readonly continue?: boolean | undefined;
  readonly errors?: readonly (readonly Issue[])[];
}

interface Issue extends Pick<RawIssue, 'code' | 'errors'> {
  readonly path: readonly PropertyKey[];
  readonly message: string | undefined;
}

type ErrorMap = (issue: RawIssue) => string | undefined;

/** The message about the broken rule. */
type Params = string | { readonly error?: string | ErrorMap; readonly abort?: boolean };

type Shape = Readonly<Record<string, Schema>>;

/** The definition of a schema or check: its members have the names that zod gives them. */
interface Def {
  readonly [member: string]: unknown;
  readonly error?: ErrorMap;
  readonly abort?: boolean;
  readonly checks?: readonly Rule[];
}

/** A value on its way through a schema. */
interface Payload {
  value: unknown;
  readonly issues: RawIssue[];
  /** True if a schema before this one has refused the value. */
  isOver?: true;
}

type Check = (payload: Payload, rule: Rule) => void;

class Rule {
  constructor(
    readonly def: Def,
    readonly test: Check,
  ) {}

  get _zod(): this {
    return this;
  }

  raise(payload: Payload, code: string, facts?: object): void {
    payload.issues.push({ code, input: payload.value, inst: this, continue: !this.def.abort, ...facts });
  }
}

/** A check of every value that has a length, also after an issue of its type. */
class LengthRule extends Rule {}

type Step = (payload: Payload, words: ErrorMap, schema: Schema) => Payload;

/** An absent member is left out, before its schema (`optin`) or after it (`optout`). */
type Presence = 'optional' | undefined;

class Schema extends Rule {
  constructor(
    def: Def,
    readonly step: Step,
    readonly optin?: Presence,
    readonly optout?: Presence,
  ) {
    super(def, () => {});
  }

  check(...added: readonly (Rule | Check)[]): Schema {
    const rules = added.map((one) => (typeof one === 'function' ? new Rule({}, one) : one));
    const def = { ...this.def, checks: [...(this.def.checks ?? []), ...rules] };
    return new Schema(def, this.step, this.optin, this.optout);
  }

  override raise(payload: Payload, code: string, facts?: object): void {
    super.raise(payload, code, { schema: this, ...facts });
  }

  /** Raises an issue after which no check follows. */
  refuse(payload: Payload, code: string, facts: object): Payload {
    this.raise(payload, code, { continue: undefined, ...facts });
    return payload;
  }

  run(given: Payload, words: ErrorMap): Payload {
    const payload = this.step(given, words, this);
    const { issues } = payload;
    const { checks } = this.def;
    if (checks === undefined) return payload;
    let isOver = isRefused(payload);
    for (const rule of checks) {
      if (rule instanceof LengthRule ? !hasLength(payload) : isOver) continue;
      const before = issues.length;
      rule.test(payload, rule);
      if (issues.length === before) continue;
      for (const issue of issues.slice(before)) issue.schema ??= this;
      isOver ||= isRefused(payload, before);
    }
    return payload;
  }
}

const isRefused = ({ isOver, issues }: Payload, start = 0): boolean =>
  isOver === true || issues.slice(start).some((issue) => issue.continue !== true);

const hasLength = ({ value, isOver, issues }: Payload): boolean =>
  !isOver &&
  issues.every((issue) => issue.continue !== false) &&
  (value as { readonly length?: unknown } | null | undefined)?.length !== undefined;

function paramsOf(params: Params = {}): Pick<Def, 'error' | 'abort'> {
  const { error, ...rest } = typeof params === 'string' ? { error: params } : params;
  if (error === undefined) return rest;
  return { ...rest, error: typeof error === 'string' ? () => error : error };
}

/** Makes a schema of the values for which `accepts` is true. */
const scalar =
  (type: string, accepts: (value: unknown) => boolean, rule?: Check, facts?: Def) =>
  (params?: Params): Schema =>
    new Schema({ type, ...facts, ...paramsOf(params) }, (payload, _words, schema) => {
      if (!accepts(payload.value)) return schema.refuse(payload, 'invalid_type', { expected: type });
      rule?.(payload, schema);
      return payload;
    });

const isText = (value: unknown): boolean => typeof value === 'string';

const hasForm =
  (pattern: RegExp): Check =>
  (payload, rule) => {
    if (!pattern.test(payload.value as string)) rule.raise(payload, 'invalid_format', { format: rule.def['format'] });
  };

const isWhole: Check = (payload, rule) => {
  const value = payload.value as number;
  const origin = 'int';
  if (!Number.isInteger(value)) rule.raise(payload, 'invalid_type', { expected: origin, continue: false });
  else if (!Number.isSafeInteger(value)) {
    const isBig = value > 0;
    const bound = isBig ? { maximum: Number.MAX_SAFE_INTEGER } : { minimum: Number.MIN_SAFE_INTEGER };
    rule.raise(payload, isBig ? 'too_big' : 'too_small', { origin, ...bound });
  }
};

const GUID = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/i;

export const string = scalar('string', isText);
export const guid = scalar('string', isText, hasForm(GUID), { format: 'guid' });
export const number = scalar('number', Number.isFinite);
export const int = scalar('number', Number.isFinite, isWhole, { format: 'safeint' });
export const boolean = scalar('boolean', (value) => typeof value === 'boolean');
export const unknown = scalar('unknown', () => true);

export const regex = (pattern: RegExp, params?: Params): Rule =>
  new Rule({ format: 'regex', ...paramsOf(params) }, hasForm(pattern));

export const refine = (accepts: (value: never) => unknown, params?: Params): Rule =>
  new Rule(paramsOf(params), (payload, rule) => {
    if (!accepts(payload.value as never)) rule.raise(payload, 'custom');
  });

const leastOf = (origin: string, minimum: number) => ['too_small', { origin, minimum }] as const;
const mostOf = (origin: string, maximum: number) => ['too_big', { origin, maximum }] as const;

export const minimum = (value: number, params?: Params): Rule =>
  new Rule({ check: 'greater_than', value, ...paramsOf(params) }, (payload, rule) => {
    if ((payload.value as number) < value) rule.raise(payload, ...leastOf('number', value));
  });

export const maximum = (value: number, params?: Params): Rule =>
  new Rule({ check: 'less_than', value, ...paramsOf(params) }, (payload, rule) => {
    if ((payload.value as number) > value) rule.raise(payload, ...mostOf('number', value));
  });

export const minLength = (least: number, params?: Params): Rule =>
  new LengthRule({ minimum: least, ...paramsOf(params) }, (payload, rule) => {
    if (lengthOf(payload.value, least) < least) rule.raise(payload, ...leastOf(originOf(payload.value), least));
  });

export const maxLength = (most: number, params?: Params): Rule =>
  new LengthRule({ maximum: most, ...paramsOf(params) }, (payload, rule) => {
    if (lengthOf(payload.value, most) > most) rule.raise(payload, ...mostOf(originOf(payload.value), most));
  });

const originOf = (value: unknown): string => (isText(value) ? 'string' : Array.isArray(value) ? 'array' : 'unknown');

/** Counts a text by code points where they can decide: each has one or two units. */
function lengthOf(value: unknown, limit: number): number {
  const { length } = value as string;
  return isText(value) && length >= limit && length <= 2 * limit ? [...(value as string)].length : length;
}

const choice = (type: string, values: readonly unknown[]): Schema =>
  new Schema({ type, values }, (payload, _words, schema) =>
    values.includes(payload.value) ? payload : schema.refuse(payload, 'invalid_value', { values }),
  );

export const literal = (value: unknown): Schema => choice('literal', [value]);
const enumOf = (values: readonly string[]): Schema => choice('enum', values);

export { enumOf as enum };

const wrap = (
  type: string,
  innerType: Schema,
  step: Step = (payload, words) => innerType.run(payload, words),
  optin = innerType.optin,
  optout = innerType.optout,
): Schema => new Schema({ type, innerType }, step, optin, optout);

const passes =
  (inner: Schema, empty: undefined | null): Step =>
  (payload, words) =>
    payload.value === empty ? payload : inner.run(payload, words);

export const optional = (inner: Schema): Schema =>
  wrap('optional', inner, passes(inner, undefined), 'optional', 'optional');
export const nullable = (inner: Schema): Schema => wrap('nullable', inner, passes(inner, null));
export const nullish = (inner: Schema): Schema => optional(nullable(inner));
export const readonly = (inner: Schema): Schema => wrap('readonly', inner);

export const nonoptional = (innerType: Schema): Schema =>
  new Schema({ type: 'nonoptional', innerType }, (given, words, schema) => {
    const payload = innerType.run(given, words);
    if (payload.issues.length > 0 || payload.value !== undefined) return payload;
    return schema.refuse(payload, 'invalid_type', {});
  });

export const transform = (make: (value: never, payload: Payload) => unknown): Schema =>
  new Schema(
    { type: 'transform' },
    (payload) => {
      payload.value = make(payload.value as never, payload);
      return payload;
    },
    'optional',
  );

/** A `transform` that has raised an issue returns it. */
export const NEVER = {};

export const pipe = (first: Schema, next: Schema): Schema =>
  new Schema(
    { type: 'pipe' },
    (given, words) => {
      const payload = first.run(given, words);
      if (payload.issues.length === 0) return next.run(payload, words);
      payload.isOver = true;
      return payload;
    },
    first.optin,
    next.optout,
  );

/** Returns the value of a member or item. Its issues become issues of the whole. */
function readPart(payload: Payload, name: PropertyKey, given: unknown, schema: Schema, words: ErrorMap): unknown {
  const { value, issues } = schema.run({ value: given, issues: [] }, words);
  for (const issue of issues) {
    issue.path = [name, ...(issue.path ?? [])];
    payload.issues.push(issue);
  }
  return value;
}

export const array = (element: Schema): Schema =>
  new Schema({ type: 'array', element }, (payload, words, schema) => {
    const given = payload.value;
    if (!Array.isArray(given)) return schema.refuse(payload, 'invalid_type', { expected: 'array' });
    payload.value = Array.from(given, (item, index) => readPart(payload, index, item, element, words));
    return payload;
  });

interface ObjectDef extends Def {
  readonly shape: Shape;
  /** Undefined if other members are left out. */
  readonly catchall?: Schema | undefined;
}

const objectOf = (def: ObjectDef): Schema =>
  new Schema({ type: 'object', ...def }, (payload, words, schema) => {
    const given = payload.value;
    if (!isRecord(given)) return schema.refuse(payload, 'invalid_type', { expected: 'object' });
    const copy: Record<string, unknown> = {};
    payload.value = copy;
    for (const [name, member] of Object.entries(def.shape)) {
      const isPresent = name in given;
      if (!isPresent && member.optin && member.optout) continue;
      const before = payload.issues.length;
      const value = readPart(payload, name, given[name], member, words);
      if (isPresent || (member.optin && value !== undefined)) copy[name] = value;
      else if (!member.optin && payload.issues.length === before) {
        payload.issues.push({ code: 'invalid_type', input: undefined, path: [name] });
      }
    }
    if (def.catchall === undefined) return payload;
    for (const name in given) if (!Object.hasOwn(def.shape, name) && name !== '__proto__') copy[name] = given[name];
    return payload;
  });

export const object = (shape: Shape): Schema => objectOf({ shape });
export const looseObject = (shape: Shape): Schema => objectOf({ shape, catchall: unknown() });

export function extend({ def }: Schema, added: Shape): Schema {
  const { shape } = def as ObjectDef;
  return objectOf({ ...def, shape: { ...shape, ...added } });
}

export function partial({ def }: Schema): Schema {
  const members = Object.entries((def as ObjectDef).shape).map(([name, member]) => [name, optional(member)]);
  return objectOf({ ...def, shape: Object.fromEntries(members) });
}

export const union = (options: readonly Schema[]): Schema =>
  new Schema({ type: 'union', options }, (payload, words, schema) => {
    const results = options.map((option) => option.run({ value: payload.value, issues: [] }, words));
    const accepted = results.find(({ issues }) => issues.length === 0);
    if (accepted !== undefined) return accepted;
    const [only, ...others] = results.filter((result) => !isRefused(result));
    if (only !== undefined && others.length === 0) return only;
    const errors = results.map(({ issues }) => issues.map((issue) => finalized(issue, words)));
    return schema.refuse(payload, 'invalid_union', { errors });
  });

/** The message of a check comes before that of its schema, and both before the general one. */
function finalized(issue: RawIssue, words: ErrorMap): Issue {
  const { code, inst, schema, path = [], errors = [] } = issue;
  const message = issue.message ?? inst?.def.error?.(issue) ?? schema?.def.error?.(issue) ?? words(issue);
  return { code, path, message, errors };
}

interface Result {
  readonly success: boolean;
  readonly error?: { readonly issues: readonly Issue[] };
}

const noWords: ErrorMap = () => undefined;

export function safeParse(schema: Schema, value: unknown, params?: { readonly error: ErrorMap }): Result {
  const words = params?.error ?? noWords;
  const { issues } = schema.run({ value, issues: [] }, words);
  if (issues.length === 0) return { success: true };
  return { success: false, error: { issues: issues.map((issue) => finalized(issue, words)) } };
}

export const validate = (schema: Schema, value: unknown): boolean => safeParse(schema, value).success;
