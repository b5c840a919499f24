import { assetKey } from './market/catalogue.js';
import type { Party, Sum } from './money/ledger.js';
import type { State } from './records/state.js';
import type { PostingEntry } from './timeline/entries.js';

/**
 * Moves money: the one side receives what the other pays, to the last digit.
 *
 * @param reference The id of what moves it: a quote, a deposit, …
 */
export function post({ timeline }: State, sum: Sum, from: Party, to: Party, reference: string): void {
  const { asset, amount } = sum;
  if (amount.isZero()) return;
  from.pay(sum);
  to.receive(sum);
  if (!timeline.isKept) return;
  timeline.note<PostingEntry>({
    ...{ kind: 'posting', from: from.name, to: to.name, asset: assetKey(asset), amount: amount.toFixed() },
    ...{ reference, fromBalance: from.total(asset).toFixed(), toBalance: to.total(asset).toFixed() },
  });
}
