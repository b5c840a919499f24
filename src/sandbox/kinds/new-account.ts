import { Holdings } from '../core/money/ledger.js';
import { keep, open } from '../core/mutations.js';
import { Records } from '../core/records/records.js';
import type { AccountState, State } from '../core/records/state.js';
import { earn, newEarn } from './earn.js';
import { limits, newLimits } from './limits.js';
import { groupedId } from './shared/addresses/generate.js';

/** Opens an account, which is empty. */
export function newAccount(state: State): AccountState {
  const { random } = state;
  const id = groupedId('AA', random);
  const account: AccountState = { id, holdings: new Holdings(id, []), records: new Records() };
  open(state, account);
  for (const [method, limit] of newLimits(state, random.fork(id))) keep(state, limits, account, method, limit);
  keep(state, earn, account, ...newEarn(account));
  return account;
}
