import { all } from '../../core/kind/find.js';
import { quotes } from '../../kinds/quotes.js';
import { type CheckEvidence, type CheckRule, findingOf } from './check.js';

/** Rules about the sandbox's ledger, and about events of quotes. */
export const MONEY_RULES: readonly CheckRule[] = [
  {
    id: 'books',
    title: 'The ledger is conserved',
    meaning:
      'No asset was made or lost: accounts and books have the sums of the beginning. If it fails, the sandbox has a fault: send this report.',
    judge({ books: { assets, unexplained } }) {
      const changed = assets.filter(({ change }) => change !== '0');
      return findingOf(true, [
        ...changed.map(({ asset, change }) => ({ text: `The sum of ${asset} has changed by ${change}.` })),
        ...unexplained.map(({ account, asset }) => ({
          text: `No order explains what is held of ${asset}.`,
          resource: { kind: 'accounts', id: account },
        })),
      ]);
    },
  },
  {
    id: 'balances',
    title: 'No balance is below 0',
    meaning: 'No account has spent more than it had. If it fails, the sandbox has a fault: send this report.',
    judge({ books: { negative } }) {
      return findingOf(
        true,
        negative.map(({ account, asset }) => ({
          text: `The balance of ${asset} is below 0.`,
          resource: { kind: 'accounts', id: account },
        })),
      );
    },
  },
  {
    id: 'executed_quotes',
    title: 'Each executed quote was delivered',
    meaning:
      'A webhook was told of each executed quote, and answered 2xx. If it fails, read the quotes that are named, and mend the receiver.',
    judge({ service: { state, webhooks } }) {
      const events = deliveriesByQuote(webhooks.deliveries);
      const executed = all(state, quotes).flatMap(({ id, record }) => (record.quote.status === 'executed' ? [id] : []));
      const lost = executed.filter((id) => events.get(id) === 'failed');
      const isSeen = executed.some((id) => events.get(id) === 'delivered');
      const evidence = lost.map((id) => ({ text: 'No webhook took its event.', resource: { kind: 'quotes', id } }));
      if (evidence.length > 0 || isSeen || executed.length === 0) return findingOf(isSeen, evidence);
      return { status: 'unseen', evidence: executed.map(pendingEvidence) };
    },
  },
];

const pendingEvidence = (id: string): CheckEvidence => ({
  text: 'It was executed, and no webhook has taken its event yet.',
  resource: { kind: 'quotes', id },
});

type DeliveryStatus = 'delivered' | 'pending' | 'failed';

/** Returns the status of each quote's event, the best of all its deliveries. */
function deliveriesByQuote(
  deliveries: readonly { readonly type: string; readonly body: string; readonly status: DeliveryStatus }[],
): ReadonlyMap<string, DeliveryStatus> {
  const found = new Map<string, DeliveryStatus>();
  for (const { type, body, status } of deliveries) {
    if (type !== 'quote.executed') continue;
    const id = quoteIn(body);
    const before = found.get(id);
    if (before === undefined || before === 'failed' || status === 'delivered') found.set(id, status);
  }
  return found;
}

function quoteIn(body: string): string {
  const { data } = JSON.parse(body) as { data?: { id?: unknown } };
  return String(data?.id);
}
