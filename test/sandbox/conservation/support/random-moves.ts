import type { Service } from '../../../../src/sandbox/assembly.js';
import type { AccountState, State } from '../../../../src/sandbox/core/records/state.js';
import { controlsOf, type SandboxControls } from '../../../../src/sandbox/drive/controls.js';
import { bankLinks } from '../../../../src/sandbox/kinds/bank-links.js';
import { conversionRules } from '../../../../src/sandbox/kinds/conversions/conversion-rules.js';
import { conversions } from '../../../../src/sandbox/kinds/conversions/conversions.js';
import { depositAddresses } from '../../../../src/sandbox/kinds/funds/deposit-addresses.js';
import { deposits } from '../../../../src/sandbox/kinds/funds/deposits.js';
import { expectedDeposits } from '../../../../src/sandbox/kinds/funds/expected-deposits.js';
import { withdrawals } from '../../../../src/sandbox/kinds/funds/withdrawals.js';
import { onDemandConversions } from '../../../../src/sandbox/kinds/on-demand-conversions/on-demand-conversions.js';
import { onchainQuotes } from '../../../../src/sandbox/kinds/onchain-quotes.js';
import { priceTriggerSwaps } from '../../../../src/sandbox/kinds/price-trigger-swaps.js';
import { quotes } from '../../../../src/sandbox/kinds/quotes.js';
import { LIFECYCLES, type Lifecycle } from '../../../../src/sandbox/kinds/registry/lifecycles.js';
import { transfers } from '../../../../src/sandbox/kinds/transfers.js';
import { users } from '../../../../src/sandbox/kinds/users.js';
import { verifications } from '../../../../src/sandbox/kinds/verifications.js';
import { wallets } from '../../../../src/sandbox/kinds/wallets.js';
import type { Dice } from './dice.js';

/** Ids of what an account has of each kind, oldest first. */
const IDS: Readonly<Record<string, (account: AccountState) => Iterable<string>>> = {
  quotes: ({ records }) => Array.from(records.of(quotes).values(), ({ quote }) => quote.id),
  onchainQuotes: ({ records }) => Array.from(records.of(onchainQuotes).values(), ({ quote }) => quote.id),
  priceTriggerSwaps: ({ records }) => Array.from(records.of(priceTriggerSwaps).values(), ({ swap }) => swap.id),
  onDemandConversions: ({ records }) =>
    Array.from(records.of(onDemandConversions).values(), ({ conversion }) => conversion.id),
  conversions: ({ records }) => Array.from(records.of(conversions).values(), ({ conversion }) => conversion.id),
  conversionRules: ({ records }) => Array.from(records.of(conversionRules).values(), ({ rule }) => rule.id),
  deposits: ({ records }) => Array.from(records.of(deposits).values(), ({ ref_id: id }) => id),
  expectedDeposits: ({ records }) => Array.from(records.of(expectedDeposits).values(), ({ id }) => id),
  withdrawals: ({ records }) => Array.from(records.of(withdrawals).values(), ({ ref_id: id }) => id),
  transfers: ({ records }) => Array.from(records.of(transfers).values(), ({ transfer }) => transfer.id),
  earn: ({ id }) => [id],
  wallets: ({ records }) => Array.from(records.of(wallets).values(), ({ wallet }) => wallet.id),
  bankLinks: ({ records }) => Array.from(records.of(bankLinks).values(), ({ bank_link_id: id }) => id),
};

const KINDS = Object.keys(IDS);

/** What a method takes beside the id. */
const MORE: Readonly<Record<string, readonly unknown[]>> = {
  'conversionRules.setStatus': ['active', 'paused'],
  'bankLinks.setEligibility': ['eligible', 'ineligible', 'unknown'],
};

/** How many of the newest are chosen from. */
const NEWEST = 6;

/** Makes a move, legal or not. Returns the name of one that was taken. */
export function randomMove(service: Service, dice: Dice): string | undefined {
  const controls = controlsOf(service);
  const [name, run] = dice.chance(0.7) ? moveOf(service, controls, dice) : settingOf(service, controls, dice);
  try {
    run();
    return name;
  } catch (error) {
    // A mistake of the sandbox would be of another class, or have another message.
    if (String(error).match(/^(TypeError|Error): [a-zA-Z]+\.[a-zA-Z]+: /)) return undefined;
    throw new Error(`${name}: ${error}`, { cause: error });
  }
}

type Move = readonly [name: string, run: () => unknown];

function moveOf({ state }: Service, controls: SandboxControls, dice: Dice): Move {
  const account = dice.choose([...state.accounts.values()].slice(0, 2));
  const there = KINDS.map((kind) => [kind, [...(IDS[kind]?.(account) ?? [])]] as const);
  const [kind, ids] = dice.choose(there.filter((one) => one[1].length > 0 || dice.chance(0.05)));
  const { states = {}, always = [] }: Partial<Lifecycle> = LIFECYCLES[kind] ?? {};
  const name = dice.choose([...new Set([...Object.values(states).flat(), ...always])]);
  const [group = '', member = ''] = name.split('.');
  const id = ids.length === 0 ? 'nobody' : dice.choose(ids.slice(-NEWEST));
  const more = MORE[name] === undefined ? [] : [dice.choose(MORE[name])];
  const methods = (controls as unknown as Record<string, Record<string, (...args: unknown[]) => unknown>>)[group];
  return [name, () => methods?.[member]?.(id, ...more)];
}

function settingOf({ state }: Service, controls: SandboxControls, dice: Dice): Move {
  const { id: account } = dice.choose([...state.accounts.values()].slice(0, 3));
  const user = dice.choose([...state.records.of(users).values()]);
  const symbol = dice.choose(['USD', 'BTC', 'ETH', 'USDC', 'EUR', 'XRP']);
  const amount = dice.choose(['0', '0.5', '1000.123456789012345678901234567890', '250', '0.000000000001']);
  const own = [...state.records.of(verifications).values()].filter((one) => one.user === user.user.id);
  const verification = dice.choose(own)?.verification.verification_id ?? 'nobody';
  const enabled = dice.chance(0.6);
  const moves: readonly Move[] = [
    ['accounts.setBalance', () => controls.accounts.setBalance(account, { symbol, total: amount })],
    ['accounts.setBalance', () => controls.accounts.setBalance(account, { symbol, available: amount })],
    ['accounts.empty', () => dice.chance(0.1) && controls.accounts.empty(account)],
    ['accounts.add', () => controls.accounts.add(user.user.id, { balances: { [symbol]: amount } })],
    ['onchainQuotes.setPendingTime', () => controls.onchainQuotes.setPendingTime(dice.choose([0, 20_000]))],
    ['accounts.deposit', () => arriveAtAddress(state, controls, dice)],
    ['bankLinks.link', () => controls.bankLinks.link(account, { missingIdentity: enabled })],
    ['prices.set', () => controls.prices.set(symbol, dice.choose(['0.95', '2500', '60000', '70000']))],
    [enabled ? 'assets.enable' : 'assets.disable', () => controls.assets[enabled ? 'enable' : 'disable'](symbol)],
    ['assets.enable', () => controls.assets.enable(symbol)],
    ['assets.setTradeLimits', () => controls.assets.setTradeLimits(symbol, enabled ? {} : { maximum: amount })],
    ['fees.set', () => controls.fees.set({ quotes: dice.integer(0, 4_000), conversions: dice.integer(0, 4_000) })],
    ['limits.set', () => controls.limits.set(account, { symbol, maximum: '1000000', remaining: amount })],
    [
      'users.setVerification',
      () => controls.users.setVerification(verification, dice.choose(['pending', 'completed', 'failed'])),
    ],
    [
      'deposits.arrive',
      () => controls.deposits.arrive(dice.choose(controls.deposits.list())?.inbound?.id ?? 'nobody', amount),
    ],
    ['wallets.rejectAddress', () => controls.wallets.rejectAddress(symbol)],
    ['wallets.unrejectAddress', () => controls.wallets.unrejectAddress(symbol)],
  ];
  return dice.choose(moves);
}

/** Money arrives at an address that the account has asked for. */
function arriveAtAddress({ accounts }: State, controls: SandboxControls, dice: Dice): unknown {
  const account = dice.choose([...accounts.values()].slice(0, 2));
  const { address = 'nowhere', tag, memo } = dice.choose([...account.records.of(depositAddresses).values()]) ?? {};
  const marks = { ...(tag ? { tag } : {}), ...(memo ? { memo } : {}) };
  return controls.accounts.deposit(account.id, { address, amount: dice.choose(['0.5', '250']), ...marks });
}
