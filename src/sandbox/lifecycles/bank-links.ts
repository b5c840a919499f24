import type { BankLink } from '../../resources/funds/bank-links.js';
import type { Wire } from '../../schema/types.js';
import { seedBankLink } from '../seed/bank-links.js';
import { timestamp } from '../state/clock.js';
import type { AccountState, State } from '../state/state.js';

/** Links a bank, as the hosted widget does: always a new link with new ids. */
export function linkBank(state: State, account: AccountState): Wire<BankLink> {
  const link = seedBankLink('plain', state.random, timestamp(state.clock.now()));
  account.bankLinks.set(link.bank_link_id, link);
  return link;
}

/** `linked → unlinked`, permanently: the link is no longer returned. */
export function unlinkBank({ accounts }: State, bankLinkId: string): void {
  const unlinked = [...accounts.values()].some(({ bankLinks }) => bankLinks.delete(bankLinkId));
  if (!unlinked) throw new Error(`unlinkBank: there is no bank link ${bankLinkId}`);
}
