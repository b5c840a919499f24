import { type CheckEvidence, type CheckRule, findingOf } from './check.js';

const ofAccount = (id: string, text: string): CheckEvidence => ({ text, resource: { kind: 'accounts', id } });

/** Rules about the sandbox's ledger. */
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
        ...unexplained.map(({ account, asset }) => ofAccount(account, `No order explains what is held of ${asset}.`)),
      ]);
    },
  },
  {
    id: 'balances',
    title: 'No balance is below 0',
    meaning: 'No account has spent more than it had. If it fails, the sandbox has a fault: send this report.',
    judge({ books: { negative } }) {
      const evidence = negative.map(({ account, asset }) => ofAccount(account, `The balance of ${asset} is below 0.`));
      return findingOf(true, evidence);
    },
  },
];
