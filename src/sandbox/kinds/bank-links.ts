import * as z from 'zod/mini';
import { type BankLink, getBankLink } from '../../resources/funds/bank-links.js';
import type { Wire } from '../../schema/types.js';
import { text } from '../core/basics/checked.js';
import { excerpt } from '../core/basics/excerpt.js';
import { ALPHABETS, type Random } from '../core/basics/random.js';
import { DAY_MS, timestamp } from '../core/clock/clock.js';
import { accountNamed } from '../core/input.js';
import { all } from '../core/kind/find.js';
import type { Found, Kind, Moves, Step } from '../core/kind/kind.js';
import { REMOVED } from '../core/kind/states.js';
import { dropStep, scheduleStep } from '../core/moves.js';
import { change, move, put, remove } from '../core/mutations.js';
import { showNamed } from '../core/reading.js';
import { answered } from '../core/records/saved-values.js';
import type { State } from '../core/records/state.js';

/** Options of a bank link. */
export interface BankLinkOptions {
  /** Eligibility of its account. Default `eligible`. */
  readonly eligibility?: 'eligible' | 'ineligible' | undefined;
  /** Milliseconds of the sandbox's clock until the eligibility is known, 0 or more. Default 0. */
  readonly unknownMs?: number | undefined;
  /**
   * True if the bank does not report the owner of the account: no account is linked, and
   * `not_linked_accounts` names the reason `missing_identity`. Eligibility is `unknown` then.
   * Default false.
   */
  readonly missingIdentity?: boolean | undefined;
}

export const bankLinkOptions = z
  .strictObject({
    eligibility: z.optional(z.enum(['eligible', 'ineligible'])),
    unknownMs: z.optional(z.number().check(z.nonnegative())),
    missingIdentity: z.optional(z.boolean()),
  })
  .check(
    z.refine(
      ({ eligibility, unknownMs = 0, missingIdentity }) =>
        missingIdentity !== true || (eligibility === undefined && unknownMs === 0),
      { path: ['missingIdentity'], message: 'leaves no account to have an eligibility' },
    ),
  );

const ELIGIBILITIES = ['eligible', 'ineligible', 'unknown'] as const;

/** The eligibility of a bank link and of its accounts. */
export type BankLinkEligibility = (typeof ELIGIBILITIES)[number];

/** A bank link with its account. */
export interface SandboxBankLink extends Wire<BankLink> {
  readonly account: string;
}

/** `sandbox.bankLinks`: the banks of all accounts. */
export interface SandboxBankLinks {
  /** Returns all bank links, account by account, oldest first. The API cannot list them. */
  list(): SandboxBankLink[];
  /** Links a bank with one account, as the hosted widget does. */
  add(accountId: string, options?: BankLinkOptions): SandboxBankLink;
  /**
   * Sets the eligibility of a bank link and of all its accounts, which the next read shows. It may
   * change any number of times.
   *
   * @throws Error for a bank link without accounts.
   */
  setEligibility(bankLinkId: string, eligibility: BankLinkEligibility): SandboxBankLink;
  /** Unlinks a bank permanently: the API no longer returns it. */
  remove(bankLinkId: string): void;
}

type WireBankLink = Wire<BankLink>;

const stateOf = ({ accounts_eligibility_status: status }: WireBankLink): string => status ?? 'unknown';

/** The eligibility of a new link becomes known. */
const known = (to: 'eligible' | 'ineligible'): Step<WireBankLink> => ({
  from: ['unknown'],
  to,
  effect: (id) => `Bank link ${id} becomes ${to}.`,
  run: (state, found) => move(state, bankLinks, found, to),
});

/** The banks that are linked with an account, oldest first. Unlinking removes one. */
export const bankLinks: Kind<WireBankLink> = {
  name: 'bankLinks',
  noun: 'bank link',
  owner: 'account',
  schema: () => answered<WireBankLink>(getBankLink, ['data']),
  shown: (link) => link,
  stateOf,
  inState: withEligibility,
  initial: ELIGIBILITIES,
  steps: { 'bank_link.eligible': known('eligible'), 'bank_link.ineligible': known('ineligible') },
  idName: 'bankLinkId',
  moves: {
    setEligibility: {
      from: ELIGIBILITIES,
      takes: { eligibility: z.enum(ELIGIBILITIES) },
      choices: (state) => ELIGIBILITIES.filter((one) => one !== state),
      run: setEligibility,
    },
    remove: { from: ELIGIBILITIES, to: REMOVED, run: unlink },
  } satisfies Moves<'setEligibility' | 'remove', WireBankLink>,
  transitions: ELIGIBILITIES.flatMap((from) => ELIGIBILITIES.filter((to) => to !== from).map((to) => ({ from, to }))),
  methods: {
    list: { id: 'bank_link_id', run: (state): SandboxBankLink[] => all(state, bankLinks).map(withAccount) },
    add: { takes: { accountId: text, options: z.optional(bankLinkOptions) }, run: link },
  },
  removal: 'remove',
  operations: [showNamed(getBankLink, () => bankLinks)],
  choices: {
    [getBankLink.name]: 'Decides the eligibility of a new link at once, unless you set it in `bankLinks.add`.',
  },
};

const withAccount = ({ account, record }: Found<WireBankLink>): SandboxBankLink => ({ account: account.id, ...record });

function link(
  state: State,
  accountId: string,
  { eligibility: later = 'eligible', unknownMs = 0, missingIdentity = false }: BankLinkOptions = {},
): SandboxBankLink {
  const account = accountNamed(state, 'bankLinks.add', accountId);
  const made = newBankLink(missingIdentity ? 'anonymous' : 'plain', state.random, timestamp(state.clock.now()));
  const record = missingIdentity ? made : withEligibility(made, unknownMs > 0 ? 'unknown' : later);
  const found = { account, id: record.bank_link_id, record };
  put(state, bankLinks, found);
  if (unknownMs > 0) scheduleStep(state, `bank_link.${later}`, found, unknownMs);
  return withAccount(found);
}

function setEligibility(state: State, found: Found<WireBankLink>, eligibility: BankLinkEligibility): SandboxBankLink {
  const { id, record } = found;
  if (record.account_links.length === 0) {
    throw new Error(`bankLinks.setEligibility: the bank link ${excerpt(id)} has no accounts`);
  }
  dropSteps(state, id);
  const changed =
    stateOf(record) === eligibility
      ? change(state, bankLinks, found, withEligibility(record, eligibility))
      : move(state, bankLinks, found, eligibility);
  return withAccount({ ...found, record: changed });
}

function unlink(state: State, found: Found<WireBankLink>): void {
  dropSteps(state, found.id);
  remove(state, bankLinks, found);
}

/** Cancels the step that would set its eligibility. */
function dropSteps(state: State, id: string): void {
  for (const step of Object.keys(bankLinks.steps ?? {})) dropStep(state, step, id);
}

/** Returns the link with the same eligibility for all its accounts. */
function withEligibility(link: WireBankLink, eligibility: string): WireBankLink {
  const accounts = link.account_links.map(({ account_link_id, account_last4, status }) =>
    judged({ account_link_id, account_last4, status }, eligibility),
  );
  return { ...link, accounts_eligibility_status: eligibility, account_links: accounts };
}

/** Returns a linked account with its eligibility, and what follows from it. */
function judged<Account extends object>(account: Account, eligibility_status: string, rails = ['ach']) {
  return {
    ...account,
    eligibility_status,
    ...(eligibility_status === 'eligible' ? { eligible_rails: rails } : {}),
    ...(eligibility_status === 'ineligible' ? { ineligibility_reasons: ['name_mismatch'] } : {}),
  };
}

const BANKS: readonly [string, ...string[]] = ['First Harbor Bank', 'Lakeside Credit Union', 'Meridian National Bank'];

export const seedBankLinks = (random: Random, now: number): WireBankLink[] =>
  (['mixed', 'ineligible', 'plain'] as const).map((accounts) =>
    newBankLink(accounts, random, timestamp(now - random.integer(5, 80) * DAY_MS)),
  );

/** The eligibilities of the linked accounts. `anonymous`: the bank does not report the owner. */
const LINKED = {
  mixed: ['eligible', 'ineligible', 'unknown'],
  ineligible: ['ineligible'],
  plain: ['eligible'],
  anonymous: [],
} as const;

function newBankLink(accounts: keyof typeof LINKED, random: Random, linkedAt: string): WireBankLink {
  const isMixed = accounts === 'mixed';
  const made = {
    eligible: judged(accountLink(random), 'eligible', isMixed ? ['ach', 'rtp'] : ['ach']),
    ineligible: judged(accountLink(random), 'ineligible'),
    unknown: judged(accountLink(random), 'unknown'),
  };
  const linked: readonly BankLinkEligibility[] = LINKED[accounts];
  const isPartial = isMixed || linked.length === 0;
  return {
    bank_link_id: `bl_${random.text(24, ALPHABETS.alphanumeric)}`,
    method_id: random.uuid(),
    status: 'linked',
    accounts_eligibility_status: linked[0] ?? 'unknown',
    linked_at: linkedAt,
    institution: { name: random.pick(BANKS) },
    account_links: linked.map((eligibility) => made[eligibility]),
    not_linked_accounts: isPartial ? [{ account_last4: lastFour(random), reason: 'missing_identity' }] : [],
  };
}

const accountLink = (random: Random) => ({
  account_link_id: `al_${random.text(24, ALPHABETS.alphanumeric)}`,
  account_last4: lastFour(random),
  status: 'active',
});

const lastFour = (random: Random): string => String(random.integer(0, 9999)).padStart(4, '0');
