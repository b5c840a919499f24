import * as z from 'zod/mini';
import type { BankLink } from '../../../../resources/funds/bank-links.js';
import type { Wire } from '../../../../schema/types.js';
import { timestamp } from '../../../core/clock/clock.js';
import { accountNamed, betweenTasks, checked, text } from '../../../core/input.js';
import type { AccountState, State } from '../../../core/records/state.js';
import { dropEligibility } from '../../lifecycles/bank-links.js';
import { seedBankLink, withEligibility } from '../../seed/bank-links.js';

/** Options of a bank link. */
export interface BankLinkOptions {
  /** Of its account. Default `eligible`. */
  readonly eligibility?: 'eligible' | 'ineligible' | undefined;
  /** Time in ms of the sandbox's clock for which it is `unknown`, 0 or more. Default 0. */
  readonly unknownFor?: number | undefined;
  /**
   * The bank does not say whose account it is: none is linked, and `not_linked_accounts` names the
   * reason `missing_identity`. Eligibility is `unknown` then. Default false.
   */
  readonly missingIdentity?: boolean | undefined;
}

const bankLinkOptions = z.strictObject({
  eligibility: z.optional(z.enum(['eligible', 'ineligible'])),
  unknownFor: z.optional(z.number().check(z.nonnegative())),
  missingIdentity: z.optional(z.boolean()),
});

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
  /**
   * Links a bank with one account, as the hosted widget does.
   *
   * @throws TypeError for a wrong option, Error for an unknown account.
   */
  link(accountId: string, options?: BankLinkOptions): SandboxBankLink;
  /**
   * Sets the eligibility of a bank link and of all its accounts, which the next read shows. It may
   * change any number of times.
   *
   * @throws TypeError for wrong input. Error for an unknown bank link, and for one without
   *   accounts.
   */
  setEligibility(bankLinkId: string, eligibility: BankLinkEligibility): SandboxBankLink;
  /**
   * Unlinks a bank permanently: the API no longer returns it.
   *
   * @throws TypeError for an id that is not text, Error for an unknown bank link.
   */
  unlink(bankLinkId: string): void;
}

export function bankLinkControls(state: State): SandboxBankLinks {
  return {
    list: () =>
      betweenTasks(state, () =>
        [...state.accounts.values()].flatMap(({ id: account, bankLinks }) =>
          Array.from(bankLinks.values(), (link) => ({ account, ...link })),
        ),
      ),
    link: (accountId, options) =>
      betweenTasks(state, () => ({ account: accountId, ...link(state, accountId, options) })),
    setEligibility: (bankLinkId, eligibility) =>
      betweenTasks(state, () => setEligibility(state, bankLinkId, eligibility)),
    unlink: (bankLinkId) => betweenTasks(state, () => unlink(state, bankLinkId)),
  };
}

function link(state: State, accountId: string, options: BankLinkOptions = {}): Wire<BankLink> {
  const METHOD = 'bankLinks.link';
  const { eligibility, unknownFor = 0, missingIdentity = false } = checked(METHOD, bankLinkOptions, options);
  if (missingIdentity && (eligibility !== undefined || unknownFor > 0)) {
    throw new TypeError(`${METHOD}: missingIdentity leaves no account to have an eligibility`);
  }
  const { id: account, bankLinks } = accountNamed(state, METHOD, accountId);
  const made = seedBankLink(missingIdentity ? 'anonymous' : 'plain', state.random, timestamp(state.clock.now()));
  const known = eligibility ?? 'eligible';
  const linked = missingIdentity ? made : withEligibility(made, unknownFor > 0 ? 'unknown' : known);
  const id = linked.bank_link_id;
  bankLinks.set(id, linked);
  if (unknownFor > 0) {
    state.clock.plan(state.clock.now() + unknownFor, { kind: 'step', step: `bank_link.${known}`, id, account });
  }
  return linked;
}

function setEligibility(state: State, given: string, eligibility: BankLinkEligibility): SandboxBankLink {
  const METHOD = 'bankLinks.setEligibility';
  const chosen = checked(METHOD, z.enum(ELIGIBILITIES), eligibility);
  const { account, link } = linkNamed(state, METHOD, given);
  const id = link.bank_link_id;
  if (link.account_links.length === 0) throw new Error(`${METHOD}: the bank link ${id} has no accounts`);
  dropEligibility(state, id);
  const changed = withEligibility(link, chosen);
  account.bankLinks.set(id, changed);
  return { account: account.id, ...changed };
}

function unlink(state: State, given: string): void {
  const { account, link: linked } = linkNamed(state, 'bankLinks.unlink', given);
  dropEligibility(state, linked.bank_link_id);
  account.bankLinks.delete(linked.bank_link_id);
}

function linkNamed(state: State, method: string, given: string): { account: AccountState; link: Wire<BankLink> } {
  const id = checked(method, text, given);
  for (const account of state.accounts.values()) {
    const link = account.bankLinks.get(id);
    if (link !== undefined) return { account, link };
  }
  throw new Error(`${method}: there is no bank link ${id}`);
}
