import { FUNDS_AND_USERS_RULES } from './funds-and-users.js';
import type { Rule } from './kinds.js';
import { LOOKUP_RULES } from './lookups.js';
import { TRADE_RULES } from './trades.js';

export const RULES: readonly Rule[] = [...LOOKUP_RULES, ...TRADE_RULES, ...FUNDS_AND_USERS_RULES];
