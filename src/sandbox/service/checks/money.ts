import { type CheckRule, findingOf } from './check.js';

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
];
