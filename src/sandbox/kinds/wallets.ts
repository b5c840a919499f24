import * as z from 'zod/mini';
import { type WalletWhitelistBody, type WhitelistedWallet, whitelistWallet } from '../../resources/accounts/wallets.js';
import type { Wire } from '../../schema/types.js';
import { text } from '../core/basics/checked.js';
import { excerpt } from '../core/basics/excerpt.js';
import { timestamp } from '../core/clock/clock.js';
import { all, recordsOf } from '../core/kind/find.js';
import type { Found, Kind, Moves } from '../core/kind/kind.js';
import { statesOf } from '../core/kind/states.js';
import { dropStep, scheduleStep } from '../core/moves.js';
import { change, drop, keep, move, put } from '../core/mutations.js';
import { neverRuns, outcomesOf, slow, toMade } from '../core/outcomes.js';
import { handleCreation } from '../core/reading.js';
import type { RecordKind } from '../core/records/records.js';
import { answered } from '../core/records/saved-values.js';
import type { AccountState, State } from '../core/records/state.js';
import { badRequest } from '../core/request/refusal.js';
import { wrongOnNetwork } from './shared/addresses/check-address.js';
import { evmAddress } from './shared/addresses/generate.js';
import { BANK_RAILS, NETWORKS, networkNamed } from './shared/addresses/networks.js';

export const SCREENING_MS = 5_000;

/** Answers about a wallet never contain its memo; those about conversions to it do. */
interface WalletRecord {
  readonly wallet: Wire<WhitelistedWallet>;
  readonly memo?: string | undefined;
  /** True if screening rejects it, whatever its address is. */
  readonly rejects?: true | undefined;
}

/** `sandbox.wallets`: the screening of whitelisted wallets. */
export interface SandboxWallets {
  /** Returns each account's newest 10,000 wallets, oldest first. The API cannot list them. */
  list(): WhitelistedWallet[];
  /** Finishes the screening of a pending wallet now: `approved`, even if it would be rejected. */
  approve(walletId: string): Wire<WhitelistedWallet>;
  /** Finishes the screening of a pending wallet now: `rejected`. */
  reject(walletId: string): Wire<WhitelistedWallet>;
  /**
   * Stops the screening of a pending wallet without a result: it stays `pending` until you call
   * `approve` or `reject`.
   */
  keepPending(walletId: string): Wire<WhitelistedWallet>;
  /** The addresses that screening rejects, oldest first. */
  readonly rejectedAddresses: readonly string[];
  /**
   * Makes screening reject wallets with this address, as it does `fixtures.rejectedWalletAddress`.
   *
   * @param address Address on a chain.
   */
  rejectAddress(address: string): void;
  /**
   * Makes screening approve wallets with this address again. Rejected wallets do not change.
   *
   * @param address Address on a chain.
   * @throws Error for an address that is not rejected.
   */
  unrejectAddress(address: string): void;
}

/** Addresses that screening rejects; an address is its own id. */
const rejections: RecordKind<{ readonly address: string }> = {
  name: 'rejectedAddresses',
  schema: () => z.object({ address: z.string() }),
  limit: Number.POSITIVE_INFINITY,
};

/** The wallets that an account has whitelisted, oldest first. */
export const wallets: Kind<WalletRecord> = {
  name: 'wallets',
  noun: 'wallet',
  owner: 'account',
  scope: 'funds',
  schema: () =>
    z.object({
      wallet: answered<Wire<WhitelistedWallet>>(whitelistWallet, ['data'], { status: z.enum(statesOf(wallets)) }),
      memo: z.optional(z.string()),
      rejects: z.optional(z.literal(true)),
    }),
  moreOfPartner: [rejections],
  shown: ({ wallet }) => wallet,
  stateOf: ({ wallet }) => wallet.status,
  inState: (record, status) => ({ ...record, wallet: { ...record.wallet, status } }),
  initial: ['pending'],
  steps: {
    'wallet.screen': {
      from: ['pending'],
      to: 'approved',
      after: { rejectAddress: 'rejected' },
      effect: (id) => `Wallet ${id} is approved or rejected.`,
      run: screen,
    },
  },
  idName: 'walletId',
  moves: {
    approve: { from: ['pending'], to: 'approved', run: (state, found) => decide(state, found, 'approved') },
    reject: { from: ['pending'], to: 'rejected', run: (state, found) => decide(state, found, 'rejected') },
    keepPending: {
      from: ['pending'],
      run(state, { id, record }) {
        dropStep(state, 'wallet.screen', id);
        return record.wallet;
      },
    },
  } satisfies Moves<'approve' | 'reject' | 'keepPending', WalletRecord>,
  methods: {
    list: { id: 'id', run: (state) => all(state, wallets).map(({ record }) => record.wallet) },
    rejectAddress: { takes: { address: text }, run: rejectAddress },
    unrejectAddress: { takes: { address: text }, run: unrejectAddress },
  },
  members: { rejectedAddresses },
  operations: [handleCreation<Wire<WalletWhitelistBody>>(whitelistWallet, whitelist)],
  outcomes: [
    outcomesOf(whitelistWallet, 'id', {
      rejected: {
        summary: 'Screening rejects the wallet, whatever its address.',
        apply: toMade(
          () => wallets,
          (state, found) => change(state, wallets, found, { ...found.record, rejects: true }),
          'pending',
        ),
      },
      pending: neverRuns(
        'The wallet is not screened. It stays pending until you call `wallets.approve` or `wallets.reject`.',
        'wallet.screen',
        () => wallets,
      ),
      slow: slow('The wallet is screened', 'wallet.screen'),
    }),
  ],
  choices: {
    [whitelistWallet.name]: [
      'Recognizes the memo chains by the names that `memo` lists, and Cosmos also as `atom`, in upper or lower case.',
      'Accepts any one-time password that is not empty, unless the option `otp` is set.',
    ],
  },
  events: {
    'wallet.whitelisted': ({ state, account, random, now }) => ({
      account: account.id,
      id: random.uuid(),
      via: 'ethereum',
      address: evmAddress(random),
      created_at: now,
      ...recordsOf(state, wallets, account).newest()?.wallet,
      status: 'approved',
    }),
  },
};

const RAILS: readonly string[] = [...BANK_RAILS, ...Object.keys(NETWORKS)];

function checkDestination(state: State, { via, address, memo }: Wire<WalletWhitelistBody>): void {
  const isMemoChain = networkNamed(via)?.mark !== undefined;
  if (!isMemoChain && !RAILS.includes(via))
    throw badRequest({ field: 'via', message: 'is not a supported rail or network' });
  const missing = isMemoChain && !memo ? [{ field: 'memo', message: `is required on ${via}` }] : [];
  // A rejected address is accepted on every network, so that its rejection can be tested there.
  const wrong = isRejected(state, address) ? [] : wrongOnNetwork('address', address, via);
  const causes = [...missing, ...wrong];
  if (causes.length > 0) throw badRequest(...causes);
}

/** Whitelists a wallet, which is `pending` until it is screened. */
function whitelist(state: State, account: AccountState, body: Wire<WalletWhitelistBody>): Wire<WhitelistedWallet> {
  checkDestination(state, body);
  const { via, address, memo, external_user_id } = body;
  const wallet: Wire<WhitelistedWallet> = {
    account: account.id,
    id: state.random.uuid(),
    via,
    address,
    status: 'pending',
    ...(external_user_id === undefined ? {} : { external_user_id }),
    created_at: timestamp(state.clock.now()),
  };
  const found = { account, id: wallet.id, record: { wallet, memo } };
  for (const dropped of put(state, wallets, found)) dropStep(state, 'wallet.screen', dropped.wallet.id);
  scheduleStep(state, 'wallet.screen', found, SCREENING_MS);
  return wallet;
}

/** `pending → approved | rejected`. */
function screen(state: State, found: Found<WalletRecord>): void {
  const { rejects = false, wallet } = found.record;
  decide(state, found, rejects || isRejected(state, wallet.address) ? 'rejected' : 'approved');
}

/** `pending → approved | rejected`, whatever the address is. */
function decide(state: State, found: Found<WalletRecord>, end: 'approved' | 'rejected'): Wire<WhitelistedWallet> {
  dropStep(state, 'wallet.screen', found.id);
  const { wallet } = move(state, wallets, found, end);
  state.events.emit('wallet.whitelisted', wallet);
  return wallet;
}

/** Returns the addresses that screening rejects, oldest first. */
export function rejectedAddresses(state: State): string[] {
  return Array.from(recordsOf(state, rejections, undefined).values(), ({ address }) => address);
}

const isRejected = (state: State, address: string): boolean => recordsOf(state, rejections, undefined).has(address);

/** Screening rejects wallets with this address from now on. */
export function rejectAddress(state: State, address: string): void {
  if (isRejected(state, address)) return;
  keep(state, rejections, undefined, address, { address });
}

function unrejectAddress(state: State, address: string): void {
  if (!isRejected(state, address)) {
    throw new Error(
      `wallets.unrejectAddress: the address ${excerpt(address)} is not rejected: see wallets.rejectedAddresses`,
    );
  }
  drop(state, rejections, undefined, address);
}
