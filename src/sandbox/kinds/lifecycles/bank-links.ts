import type { StepTask } from '../../core/clock/task.js';
import type { State } from '../../core/records/state.js';
import { withEligibility } from '../seed/bank-links.js';

/** The eligibility of a new bank link becomes known. */
export const knowEligibility =
  (eligibility: 'eligible' | 'ineligible') =>
  (state: State, { id, account }: StepTask): void => {
    const links = state.accounts.get(account ?? '')?.bankLinks;
    const link = links?.get(id);
    if (link !== undefined) links?.set(id, withEligibility(link, eligibility));
  };

/** Drops the planned step that would tell its eligibility. */
export function dropEligibility({ clock }: State, bankLinkId: string): void {
  clock.drop((task) => task.kind === 'step' && task.step.startsWith('bank_link.') && task.id === bankLinkId);
}
