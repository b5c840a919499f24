import { grouped } from '../../core/basics/grouped.js';
import type { GroupOf } from '../../core/kind/group.js';
import { checkBooks } from '../../kinds/registry/books.js';
import type { ServiceParts } from '../parts.js';
import { AUTHENTICATION_RULES, isAuthentic } from './authentication.js';
import { type CheckEvidence, type CheckRule, findingOf, type SandboxCheck } from './check.js';
import { TRAFFIC_RULES } from './traffic.js';
import { UNKNOWN_MEMBERS } from './unknown-members.js';
import { ANNOUNCED_STATE_RULES, WEBHOOK_RULES } from './webhooks.js';
import { WRITE_RULES } from './writes.js';

const ofAccount = (id: string, text: string): CheckEvidence => ({ text, resource: { kind: 'accounts', id } });

/** Rules about the sandbox's ledger. */
export const MONEY_RULES: readonly CheckRule[] = [
  {
    id: 'books',
    title: 'The ledger is conserved',
    failure: ['sum of the ledger is wrong', 'sums of the ledger are wrong'],
    meaning:
      'No money was created or lost: accounts and books have the same sums as at the start. If this check fails, the sandbox has a bug, so please send this report.',
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
    failure: ['balance is below 0', 'balances are below 0'],
    meaning: 'No account has spent more than it had. If this fails, the sandbox has a bug: please send this report.',
    judge({ books: { negative } }) {
      const evidence = negative.map(({ account, asset }) => ofAccount(account, `The balance of ${asset} is below 0.`));
      return findingOf(true, evidence);
    },
  },
];

const RULES: readonly CheckRule[] = [
  ...AUTHENTICATION_RULES,
  ...WRITE_RULES,
  UNKNOWN_MEMBERS,
  ...TRAFFIC_RULES,
  ...WEBHOOK_RULES,
  ...MONEY_RULES,
  ...ANNOUNCED_STATE_RULES,
];

/** Maximum number of findings that a check reports; the oldest are left out. */
const MAX_EVIDENCE = 100;

function runChecks(service: ServiceParts): SandboxCheck[] {
  service.state.clock.catchUp();
  const requests = service.journal.entries.filter(({ isOwn }) => isOwn !== true);
  const books = checkBooks(service.state, service.firstTotals);
  const groups = [...grouped(requests, ({ apiKey, method, path }) => `${apiKey} ${method} ${path}`).values()];
  const input = { requests, groups, isKnown: requests.some(isAuthentic), books, service };
  return RULES.map(({ judge, failure = ['', ''], ...rule }) => {
    const { status, evidence } = judge(input);
    const found = evidence.reduce((sum, { count = 1 }) => sum + count, 0);
    const failed = status === 'failed' ? { failure: `${found} ${failure[found === 1 ? 0 : 1]}` } : {};
    return { ...rule, status, ...failed, found, evidence: evidence.slice(-MAX_EVIDENCE).reverse() };
  });
}

/** `sandbox.checks`: checks an integration. */
export interface SandboxChecks {
  /**
   * Checks the partner's integration so far: the requests of the journal, the deliveries, the
   * ledger. Requests that the sandbox itself sent do not count. Some checks need the option
   * `inspect`. The result contains no secret and no body, so it can be sent to support.
   */
  run(): SandboxCheck[];
}

export const checks: GroupOf<ServiceParts, SandboxChecks> = {
  name: 'checks',
  methods: { run: { get: '', run: runChecks } },
};
