import * as s from '../../schema/schema.js';
import * as z from '../../schema/zod.js';
import { defineOperation } from '../define-operation.js';

/** The name of a person. Further members are sent unchanged. */
export interface UserFullName {
  first_name: string;
  last_name: string;
  middle_name?: string | undefined;
  [member: string]: unknown;
}

/** The residence of a person. Further members are sent unchanged. */
export interface UserResidence {
  /** Street and number. */
  line1: string;
  line2?: string | undefined;
  city: string;
  province?: string | undefined;
  postal_code: string;
  country: string;
  [member: string]: unknown;
}

/** The birth of a person. Further members are sent unchanged. */
export interface UserBirth {
  /** `YYYY-MM-DD`. */
  date?: string | undefined;
  city?: string | undefined;
  country?: string | undefined;
  [member: string]: unknown;
}

/** A user to create. Further members are sent unchanged. */
export interface UserCreateBody {
  email: string;
  /** The partner's own reference. A second call with it returns the same user. */
  external_reference: string;
  full_name: UserFullName;
  residence: UserResidence;
  /** E.164: 2 to 15 digits that do not begin with 0, with or without a plus, without spaces. */
  phone: string;
  /** Two capital letters each (ISO 3166-1 alpha-2), for example `['DE']`. */
  nationalities: readonly string[];
  birth?: UserBirth | undefined;
  occupation?: unknown;
  [member: string]: unknown;
}

/** A user without personal data. */
export interface HeadlessUserCreateBody {
  /** The partner's own reference. A second call with it returns the same user. */
  external_reference: string;
}

/** The same members, each of which may be left out. */
export type SomeOf<T> = { [Key in keyof T]?: T[Key] | undefined };

/** The members of a user to change. Further members are sent unchanged. */
export interface UserUpdateBody {
  full_name?: SomeOf<UserFullName> | undefined;
  residence?: SomeOf<UserResidence> | undefined;
  /** As in `users.create`; `null` removes it. */
  phone?: string | null | undefined;
  /** As in `users.create`; `null` removes them. */
  nationalities?: readonly string[] | null | undefined;
  birth?: UserBirth | undefined;
  [member: string]: unknown;
}

/** One account of a user. Its `id` is the account id of `client.accounts` and `client.funds`. */
export interface UserAccount {
  id: string;
  /** Names seen: `main`, `secondary`. */
  name: 'main' | 'secondary' | (string & {});
}

/** A user that was created, or already had this `external_reference`. `users.get` shows more. */
export interface CreatedUser {
  /** User identifier, 14 to 42 characters. */
  id: string;
  accounts: UserAccount[];
  [member: string]: unknown;
}

const PHONE_RULE = 'must be a phone number: 2 to 15 digits, the first not 0, with or without a plus before them';
const phone = () => z.string().check(z.regex(/^\+?[1-9]\d{1,14}$/, PHONE_RULE));

const NATIONALITY_RULE = 'must be two capital letters (ISO 3166-1 alpha-2), for example "DE"';
const nationalities = () => s.readonlyList(z.array(z.string().check(z.regex(/^[A-Z]{2}$/, NATIONALITY_RULE))));

const fullName = () => z.looseObject({ first_name: z.string(), last_name: z.string(), middle_name: s.optionalText() });

const residence = () =>
  z.looseObject({
    line1: z.string(),
    line2: s.optionalText(),
    city: z.string(),
    province: s.optionalText(),
    postal_code: z.string(),
    country: z.string(),
  });

export const birth = () =>
  z.looseObject({
    date: s.optionalText(),
    city: s.optionalText(),
    country: s.optionalText(),
  });

const createdUser = s.output<CreatedUser>()(() =>
  z.looseObject({ id: z.string(), accounts: z.array(z.looseObject({ id: z.string(), name: z.string() })) }),
);

export const createUser = defineOperation('users.create', 'POST /v1/users', {
  body: s.input<UserCreateBody>()(() =>
    z.looseObject({
      email: z.string(),
      external_reference: z.string(),
      full_name: fullName(),
      residence: residence(),
      phone: phone(),
      nationalities: nationalities(),
      birth: z.optional(birth()),
      occupation: z.optional(z.unknown()),
    }),
  ),
  answer: s.data(createdUser),
  retrySafety: 'always',
});

export const createHeadlessUser = defineOperation('users.createHeadless', 'POST /v1/users/headless', {
  body: s.input<HeadlessUserCreateBody>()(() => z.object({ external_reference: z.string() })),
  answer: s.data(createdUser),
  retrySafety: 'always',
});

export const updateUser = defineOperation('users.update', 'PATCH /v1/users/{user_id}', {
  body: s.input<UserUpdateBody>()(() =>
    z.looseObject({
      full_name: z.optional(s.allOptional(fullName())),
      residence: z.optional(s.allOptional(residence())),
      phone: z.nullish(phone()),
      nationalities: z.nullish(nationalities()),
      birth: z.optional(birth()),
    }),
  ),
  answer: s.nothingButData(() => z.literal('success')),
});
