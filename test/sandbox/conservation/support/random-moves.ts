import type { Sandbox } from '../../../../src/sandbox/index.js';
import { LIFECYCLES } from '../../../../tools/tables/lifecycles.js';
import type { Dice } from './dice.js';

const METHODS = Object.entries(LIFECYCLES).flatMap(([kind, { states, always = [] }]) =>
  [...new Set([...Object.values(states).flat(), ...always])].map((name) => ({ kind, name })),
);

/** All moves that take the id of a resource. */
export const MOVES: readonly string[] = METHODS.map(({ name }) => name);

/** What a method takes beside the id. */
const MORE: Readonly<Record<string, readonly unknown[]>> = {
  'conversionRules.setStatus': ['active', 'paused'],
  'bankLinks.setEligibility': ['eligible', 'ineligible', 'unknown'],
  'users.setVerification': ['pending', 'completed', 'failed'],
};

/** How many of the newest are chosen from. */
const NEWEST = 6;

type Move = readonly [name: string, run: () => unknown];

/** Makes a move, legal or not. Returns the name of one that was taken. */
export function randomMove(sandbox: Sandbox, dice: Dice): string | undefined {
  const [name, run] = dice.chance(0.7) ? moveOf(sandbox, dice) : settingOf(sandbox, dice);
  try {
    run();
    return name;
  } catch (error) {
    // A mistake of the sandbox would be of another class, or have another message.
    if (String(error).match(/^(TypeError|Error): [a-zA-Z]+\.[a-zA-Z]+: /)) return undefined;
    throw new Error(`${name}: ${error}`, { cause: error });
  }
}

function moveOf(sandbox: Sandbox, dice: Dice): Move {
  const { accountId, secondaryAccountId } = sandbox.fixtures;
  const account = dice.choose([accountId, accountId, secondaryAccountId]);
  const kind = dice.choose(Object.keys(LIFECYCLES));
  const owner = kind === 'verifications' ? undefined : account;
  const resources = sandbox.resources.list(kind, { accountId: owner, limit: NEWEST });
  if (resources.length === 0 && dice.chance(0.9)) return moveOf(sandbox, dice);
  const id = resources.length === 0 ? 'nobody' : dice.choose(resources).id;
  const { name } = dice.choose(METHODS.filter((one) => one.kind === kind));
  const [group = '', member = ''] = name.split('.');
  const methods = (sandbox as unknown as Record<string, Record<string, (...args: unknown[]) => unknown>>)[group];
  return [name, () => methods?.[member]?.(id, ...(MORE[name] === undefined ? [] : [dice.choose(MORE[name])]))];
}

function settingOf(sandbox: Sandbox, dice: Dice): Move {
  const users = sandbox.users.list();
  const account = dice.choose(users.slice(0, 3).flatMap(({ accounts }) => accounts)).id;
  const symbol = dice.choose(['USD', 'BTC', 'ETH', 'USDC', 'EUR', 'XRP']);
  const amount = dice.choose(['0', '0.5', '1000.123456789012345678901234567890', '250', '0.000000000001']);
  const enabled = dice.chance(0.6);
  const moves: readonly Move[] = [
    ['accounts.setBalance', () => sandbox.accounts.setBalance(account, { symbol, total: amount })],
    ['accounts.setBalance', () => sandbox.accounts.setBalance(account, { symbol, available: amount })],
    ['accounts.empty', () => dice.chance(0.1) && sandbox.accounts.empty(account)],
    ['accounts.add', () => sandbox.accounts.add(dice.choose(users).id, { balances: { [symbol]: amount } })],
    ['accounts.convert', () => convert(sandbox, dice, account)],
    ['onchainQuotes.setPendingTime', () => sandbox.onchainQuotes.setPendingTime(dice.choose([0, 20_000]))],
    ['accounts.deposit', () => sandbox.accounts.deposit(account, { symbol, amount })],
    ['accounts.deposit', () => arriveAtAddress(sandbox, dice)],
    ['bankLinks.add', () => sandbox.bankLinks.add(account, { missingIdentity: enabled })],
    ['prices.set', () => sandbox.prices.set(symbol, dice.choose(['0.95', '2500', '60000', '70000']))],
    [enabled ? 'assets.enable' : 'assets.disable', () => sandbox.assets[enabled ? 'enable' : 'disable'](symbol)],
    ['assets.enable', () => sandbox.assets.enable(symbol)],
    ['assets.setTradeLimits', () => sandbox.assets.setTradeLimits(symbol, enabled ? {} : { maximum: amount })],
    ['fees.set', () => sandbox.fees.set({ quotes: dice.integer(0, 4_000), conversions: dice.integer(0, 4_000) })],
    ['limits.set', () => sandbox.limits.set(account, { symbol, maximum: '1000000', remaining: amount })],
    ['deposits.arrive', () => sandbox.deposits.arrive(inboundOf(sandbox, dice), enabled ? amount : undefined)],
    ['wallets.rejectAddress', () => sandbox.wallets.rejectAddress(symbol)],
    ['wallets.unrejectAddress', () => sandbox.wallets.unrejectAddress(symbol)],
  ];
  return dice.choose(moves);
}

const ENDS = [
  ['balance', 'bank'],
  ['bank', 'balance'],
] as const;

function convert({ accounts }: Sandbox, dice: Dice, account: string): unknown {
  const [source, target] = dice.choose(ENDS);
  const [from, to] = [dice.choose(['USD', 'BTC', 'EUR']), dice.choose(['USD', 'ETH', 'JPY'])];
  const amount = dice.choose(['0.01', '20', '100.25']);
  return accounts.convert(account, {
    from: { type: source, symbol: from, amount },
    to: { type: target, symbol: to },
    fails: dice.chance(0.3),
  });
}

/** The inbound of what waits for money: an expected deposit, a conversion or a conversion rule. */
function inboundOf(sandbox: Sandbox, dice: Dice): string {
  const kind = dice.choose(['expectedDeposits', 'conversions', 'conversionRules']);
  const found = sandbox.resources.list(kind, { limit: NEWEST }).map(({ record }) => record as Inbound);
  return dice.choose(found)?.inbound?.id ?? 'nobody';
}

interface Inbound {
  readonly inbound?: { readonly id: string };
}

/** Money arrives at an address that an account has asked for. */
function arriveAtAddress(sandbox: Sandbox, dice: Dice): unknown {
  const { account = '', record } = dice.choose(sandbox.resources.list('depositAddresses', { limit: NEWEST })) ?? {};
  const { address = 'nowhere', tag, memo } = (record ?? {}) as Record<'address' | 'tag' | 'memo', string | undefined>;
  const marks = { ...(tag ? { tag } : {}), ...(memo ? { memo } : {}) };
  return sandbox.accounts.deposit(account, { address, amount: dice.choose(['0.5', '250']), ...marks });
}
