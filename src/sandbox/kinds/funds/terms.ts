import type { Decimal } from '../../../schema/decimal.js';
import type { Asset } from '../../core/market/catalogue.js';
import { priced, roundedUp, share } from '../../core/money/money.js';
import type { AccountState, State } from '../../core/records/state.js';
import { limitsOf, type WireDepositLimit } from '../limits.js';
import { type NetworkId, networksOf } from '../shared/addresses/networks.js';

/** Terms of a network that the sandbox chose. Amounts are in US dollars. */
interface NetworkTerms {
  readonly depositFeeUsd: string;
  /** Percent of the deposit. */
  readonly feePercentage: string;
  readonly minimumUsd: string;
  readonly withdrawalFeeUsd: string;
  /** Number of days after which a deposit address expires. Absent: it never expires. */
  readonly addressDays?: number;
}

const USUAL: NetworkTerms = { depositFeeUsd: '0', feePercentage: '0', minimumUsd: '1', withdrawalFeeUsd: '0.5' };
const BANK: NetworkTerms = { ...USUAL, withdrawalFeeUsd: '0.35' };

/** Networks whose terms differ from the default. */
const SPECIAL: Partial<Record<NetworkId, Partial<NetworkTerms>>> = {
  bitcoin: { minimumUsd: '10', withdrawalFeeUsd: '3', addressDays: 30 },
  ethereum: { depositFeeUsd: '0.4', minimumUsd: '5', withdrawalFeeUsd: '2' },
  tron: { feePercentage: '0.1', withdrawalFeeUsd: '1' },
};

const termsOf = (network: NetworkId | undefined): NetworkTerms =>
  network === undefined ? BANK : { ...USUAL, ...SPECIAL[network] };

/** Names of bank transfers by rail. */
const BANK_RAILS: Readonly<Record<string, readonly string[]>> = {
  USD: ['ACH', 'RTP', 'Fedwire', 'SWIFT'],
  EUR: ['SEPA', 'SEPA Instant', 'SWIFT'],
};

/** A deposit method: a row of the account's deposit limits, with its network and terms. */
export interface Method {
  readonly limit: WireDepositLimit;
  /** Absent for bank transfers, which have no address. */
  readonly network: NetworkId | undefined;
  /** Name of the bank transfer. */
  readonly rail: string;
  readonly fee: Decimal;
  /** Percent. */
  readonly feePercentage: string;
  readonly minimum: Decimal;
  readonly addressDays: number | undefined;
}

/** Returns the deposit methods of an asset in the order of their ids, as in the deposit limits. */
export function methodsOf(state: State, account: AccountState, asset: Asset): Method[] {
  const networks = networksOf(asset);
  const rails = BANK_RAILS[asset.symbol] ?? [];
  return limitsOf(state, account, asset).map((limit, index) => {
    const network = networks[index % networks.length];
    const { depositFeeUsd, feePercentage, minimumUsd, addressDays } = termsOf(network);
    return {
      limit,
      network,
      rail: rails[index % rails.length] ?? 'Bank transfer',
      feePercentage,
      addressDays,
      fee: priced(depositFeeUsd, asset),
      minimum: priced(minimumUsd, asset),
    };
  });
}

export function depositFee({ fee, feePercentage }: Method, asset: Asset, amount: Decimal): Decimal {
  return fee.plus(roundedUp(share(amount, 100).times(feePercentage), asset.places));
}

/** Returns the fee and the limits of one withdrawal: 1 to 1,000,000 US dollars. */
export function withdrawalTerms(asset: Asset): Record<'fee' | 'minimum' | 'maximum', Decimal> {
  const { withdrawalFeeUsd } = termsOf(networksOf(asset)[0]);
  return {
    fee: priced(withdrawalFeeUsd, asset),
    minimum: priced('1', asset),
    maximum: priced('1000000', asset),
  };
}
