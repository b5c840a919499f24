import type { AnyKind, Area, StateGroup } from '../../core/kind/kind.js';
import { accounts, type SandboxAccounts } from '../accounts/accounts.js';
import { assets, type SandboxAssets } from '../assets/assets.js';
import { bankLinks, type SandboxBankLinks } from '../bank-links.js';
import { arrivals, type SandboxDeposits } from '../conversions/arrivals.js';
import { conversionRules, type SandboxConversionRules } from '../conversions/conversion-rules.js';
import { conversions, type SandboxConversions } from '../conversions/conversions.js';
import { earn, type SandboxEarn } from '../earn.js';
import { fundingAddresses } from '../funding-addresses.js';
import { deposits } from '../funds/deposits.js';
import { expectedDeposits } from '../funds/expected-deposits.js';
import { ledger } from '../funds/ledger.js';
import { type SandboxWithdrawalAddresses, withdrawalAddresses } from '../funds/withdrawal-addresses.js';
import { type SandboxWithdrawals, withdrawals } from '../funds/withdrawals.js';
import { limits, type SandboxLimits } from '../limits.js';
import {
  onDemandConversions,
  type SandboxOnDemandConversions,
} from '../on-demand-conversions/on-demand-conversions.js';
import { onchainQuotes, type SandboxOnchainQuotes } from '../onchain-quotes.js';
import { otp, type SandboxOtp } from '../otp.js';
import { portfolio } from '../portfolio/area.js';
import { priceTriggerSwaps, type SandboxPriceTriggerSwaps } from '../price-trigger-swaps.js';
import { prices, type SandboxPrices } from '../prices.js';
import { quotes, type SandboxQuotes } from '../quotes.js';
import { ramp } from '../ramp/area.js';
import { reports } from '../reports/area.js';
import { fees, type SandboxFees } from '../shared/trade-terms.js';
import { type SandboxTransfers, transfers } from '../transfers.js';
import { type SandboxUsers, users } from '../users.js';
import { verifications } from '../verifications.js';
import { type SandboxWallets, wallets } from '../wallets.js';

/** All kinds of resources. Each is registered here once, in the order in which they are shown. */
export const KINDS: readonly AnyKind[] = [
  users,
  verifications,
  accounts,
  quotes,
  onchainQuotes,
  priceTriggerSwaps,
  onDemandConversions,
  conversions,
  conversionRules,
  deposits,
  expectedDeposits,
  withdrawals,
  transfers,
  wallets,
  bankLinks,
  withdrawalAddresses,
  fundingAddresses,
  earn,
  limits,
  assets,
] as readonly unknown[] as readonly AnyKind[];

/** Parts of the API without resources. */
export const AREAS: readonly Area[] = [ledger, portfolio, ramp, reports];

/** Groups of methods that belong to no kind. */
export const GROUPS: readonly StateGroup[] = [arrivals, prices, fees, otp];

/** The methods of resources, by group. */
export interface KindControls {
  readonly users: SandboxUsers;
  /** Accounts and their money. */
  readonly accounts: SandboxAccounts;
  readonly quotes: SandboxQuotes;
  readonly onchainQuotes: SandboxOnchainQuotes;
  readonly priceTriggerSwaps: SandboxPriceTriggerSwaps;
  /** The prices that quotes, portfolio, assets and rates share. */
  readonly prices: SandboxPrices;
  /** The one-time password that the service accepts. */
  readonly otp: SandboxOtp;
  /** Fees that the platform charges on swaps. */
  readonly fees: SandboxFees;
  readonly withdrawals: SandboxWithdrawals;
  /** Enables and disables uses of assets. */
  readonly assets: SandboxAssets;
  /** Conversions of `accounts.convert` and of the seed. */
  readonly onDemandConversions: SandboxOnDemandConversions;
  readonly conversions: SandboxConversions;
  readonly conversionRules: SandboxConversionRules;
  /** Money that arrives. */
  readonly deposits: SandboxDeposits;
  readonly transfers: SandboxTransfers;
  readonly bankLinks: SandboxBankLinks;
  readonly withdrawalAddresses: SandboxWithdrawalAddresses;
  /** Rewards that accounts earn automatically. */
  readonly earn: SandboxEarn;
  /** The limits of deposits. */
  readonly limits: SandboxLimits;
  readonly wallets: SandboxWallets;
}
