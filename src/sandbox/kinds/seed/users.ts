import { DAY_MS, timestamp } from '../../core/clock/clock.js';
import { ALPHABETS, type Random } from '../../core/random.js';
import type { UserState } from '../../core/records/state.js';
import { groupedId } from '../shared/addresses/made-up.js';

export function seedUsers(random: Random, now: number): UserState[] {
  return Array.from({ length: 6 }, (_, index) => {
    const created = now - random.integer(90, 700) * DAY_MS - random.integer(0, DAY_MS);
    const accountNames = index % 3 === 0 ? ['main', 'secondary'] : ['main'];
    const user: UserState['user'] = {
      id: index === 1 ? spacedId(random) : groupedId('AU', random),
      external_reference: `customer-${1000 + index}`,
      type: 'individual',
      status: { state: 'ok', required_actions: [] },
      created_at: timestamp(created),
      accounts: accountNames.map((name) => ({ id: groupedId('AA', random), name })),
    };
    return { user, verifications: seedVerifications(index, random, created) };
  });
}

/** Returns an id with spaces: the client must percent-encode it. */
function spacedId(random: Random): string {
  return Array.from({ length: 4 }, () => random.text(4, ALPHABETS.upper)).join(' ');
}

function seedVerifications(index: number, random: Random, created: number): UserState['verifications'] {
  const at = (days: number): string => timestamp(created + days * DAY_MS + random.integer(0, 3_600_000));
  const completed = {
    verification_id: groupedId('PV', random),
    types: ['proof_of_identity', 'proof_of_liveness'],
    method: 'hosted',
    status: 'completed',
    created_at: at(0),
    updated_at: at(1),
  };
  const failed = {
    verification_id: groupedId('PV', random),
    types: ['proof_of_address'],
    method: 'url',
    status: 'failed',
    reasons: [{ code: 'unreadable', details: ['the second page is cut off'] }, { code: 'wrong_side' }],
    created_at: at(2),
    updated_at: at(3),
  };
  const pending = {
    verification_id: groupedId('PV', random),
    types: ['proof_of_address'],
    method: 'url',
    status: 'pending',
    created_at: at(4),
    updated_at: at(5),
  };
  if (index === 0) return [completed, failed, pending];
  return index === 5 ? [] : [completed];
}
