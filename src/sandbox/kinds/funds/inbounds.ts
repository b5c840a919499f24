import type { Inbound } from '../../../resources/accounts/deposits.js';
import type { Wire } from '../../../schema/types.js';
import { ALPHABETS, type Random } from '../../core/basics/random.js';
import { timestamp } from '../../core/clock/clock.js';
import type { Asset } from '../../core/market/catalogue.js';
import type { State } from '../../core/records/state.js';
import { badRequest } from '../../core/request/refusal.js';
import { walletAddress } from '../shared/addresses/generate.js';
import { ALIASES, BANK_RAILS, NETWORKS, networkNamed, networksOf } from '../shared/addresses/networks.js';

const BENEFICIARY = 'Partner Sandbox';
const DIGITS = '0123456789';
/** Rails that name an account by IBAN; the others use a routing and an account number. */
const IBAN_RAILS: readonly string[] = ['sepa', 'swift'];

interface InboundOrder {
  readonly asset: Asset;
  /** Rail or network. Default: a bank rail for fiat money, otherwise the asset's first network. */
  readonly via: string | undefined;
  readonly lifecycle: 'reusable' | 'single_use';
  /** Member of the request that contains `via`. */
  readonly field: string;
  /** Id of the rule that converts the money. */
  readonly rule?: string;
}

/** Opens an inbound for an asset. Throws 400 for a rail or network that the asset does not have. */
export function openInbound(state: State, { asset, via, lifecycle, field, rule }: InboundOrder): Wire<Inbound> {
  const isFiat = asset.type === 'fiat';
  const chosen = via ?? (isFiat ? 'swift' : networksOf(asset)[0]) ?? '';
  const known = isFiat ? BANK_RAILS : [...Object.keys(NETWORKS), ...ALIASES.keys()];
  if (!known.includes(chosen)) {
    throw badRequest({ field, message: `is not a ${isFiat ? 'bank rail' : 'network'} for ${asset.symbol}` });
  }
  const { random } = state;
  return {
    id: random.uuid(),
    via: chosen,
    status: 'active',
    lifecycle,
    ...(isFiat ? { routing: routingOf(chosen, random) } : addressOn(chosen, random)),
    ...(rule === undefined ? {} : { conversion_rule_id: rule }),
    created_at: timestamp(state.clock.now()),
  };
}

function addressOn(via: string, random: Random): Pick<Wire<Inbound>, 'address' | 'memo'> {
  const address = walletAddress(via, random);
  return networkNamed(via)?.mark === undefined ? { address } : { address, memo: random.text(9, DIGITS) };
}

function routingOf(rail: string, random: Random): NonNullable<Wire<Inbound>['routing']> {
  if (!IBAN_RAILS.includes(rail)) {
    const account = { routing_number: random.text(9, DIGITS), account_number: random.text(12, DIGITS) };
    return { ...account, beneficiary_name: BENEFICIARY };
  }
  const account = random.text(18, DIGITS);
  // D is 13 and E is 14. 98 minus the remainder makes the number 1 modulo 97.
  const check = String(98n - (BigInt(`${account}131400`) % 97n)).padStart(2, '0');
  return { iban: `DE${check}${account}`, bic: 'PSBXDEFFXXX', beneficiary_name: BENEFICIARY };
}

export const transactionId = (random: Random): string => random.text(64, ALPHABETS.hex);
