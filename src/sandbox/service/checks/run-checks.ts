import { grouped } from '../../core/basics/grouped.js';
import { checkBooks } from '../../kinds/registry/books.js';
import type { ServiceParts } from '../parts.js';
import { ANNOUNCED_STATE_RULES } from './announced-states.js';
import { AUTHENTICATION_RULES, isAuthentic } from './authentication.js';
import type { CheckRule, SandboxCheck } from './check.js';
import { MONEY_RULES } from './money.js';
import { TRAFFIC_RULES } from './traffic.js';
import { UNKNOWN_MEMBERS } from './unknown-members.js';
import { WEBHOOK_RULES } from './webhooks.js';
import { WRITE_RULES } from './writes.js';

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

/** Applies each rule to the partner's requests so far. */
export function runChecks(service: ServiceParts): SandboxCheck[] {
  service.state.clock.catchUp();
  const requests = service.journal.entries.filter(({ isOwn }) => isOwn !== true);
  const books = checkBooks(service.state, service.firstTotals);
  const groups = [...grouped(requests, ({ apiKey, method, path }) => `${apiKey} ${method} ${path}`).values()];
  const input = { requests, groups, isKnown: requests.some(isAuthentic), books, service };
  return RULES.map(({ judge, ...rule }) => {
    const { status, evidence } = judge(input);
    return { ...rule, status, found: evidence.length, evidence: evidence.slice(-MAX_EVIDENCE).reverse() };
  });
}
