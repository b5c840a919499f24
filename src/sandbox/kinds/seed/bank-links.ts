import type { BankLink } from '../../../resources/funds/bank-links.js';
import type { Wire } from '../../../schema/types.js';
import { ALPHABETS, type Random } from '../../core/random.js';

const BANKS: readonly [string, ...string[]] = ['First Harbor Bank', 'Lakeside Credit Union', 'Meridian National Bank'];

/**
 * `mixed` has accounts of every eligibility, `anonymous` none with a known owner, the others one
 * account.
 */
export type BankLinkKind = 'mixed' | 'ineligible' | 'plain' | 'anonymous';

export function seedBankLink(kind: BankLinkKind, random: Random, linkedAt: string): Wire<BankLink> {
  const eligible = {
    ...accountLink(random),
    eligibility_status: 'eligible',
    eligible_rails: kind === 'mixed' ? ['ach', 'rtp'] : ['ach'],
  };
  const ineligible = {
    ...accountLink(random),
    eligibility_status: 'ineligible',
    ineligibility_reasons: ['name_mismatch'],
  };
  const unknown = { ...accountLink(random), eligibility_status: 'unknown' };
  return {
    bank_link_id: `bl_${random.text(24, ALPHABETS.alphanumeric)}`,
    method_id: random.uuid(),
    status: 'linked',
    accounts_eligibility_status: {
      mixed: 'eligible',
      plain: 'eligible',
      ineligible: 'ineligible',
      anonymous: 'unknown',
    }[kind],
    linked_at: linkedAt,
    institution: { name: random.pick(BANKS) },
    account_links: {
      mixed: [eligible, ineligible, unknown],
      ineligible: [ineligible],
      plain: [eligible],
      anonymous: [],
    }[kind],
    not_linked_accounts:
      kind === 'mixed' || kind === 'anonymous' ? [{ account_last4: lastFour(random), reason: 'missing_identity' }] : [],
  };
}

/** Returns the link with one eligibility for all its accounts. */
export function withEligibility(
  link: Wire<BankLink>,
  eligibility: 'eligible' | 'ineligible' | 'unknown',
): Wire<BankLink> {
  const accounts = link.account_links.map(({ account_link_id, account_last4, status }) => ({
    ...{ account_link_id, account_last4, status, eligibility_status: eligibility },
    ...(eligibility === 'eligible' ? { eligible_rails: ['ach'] } : {}),
    ...(eligibility === 'ineligible' ? { ineligibility_reasons: ['name_mismatch'] } : {}),
  }));
  return { ...link, accounts_eligibility_status: eligibility, account_links: accounts };
}

function accountLink(random: Random) {
  return {
    account_link_id: `al_${random.text(24, ALPHABETS.alphanumeric)}`,
    account_last4: lastFour(random),
    status: 'active',
  };
}

const lastFour = (random: Random): string => String(random.integer(0, 9999)).padStart(4, '0');
