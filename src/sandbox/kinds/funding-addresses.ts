import * as z from 'zod/mini';
import { deleteFundingAddress } from '../../resources/funds/addresses.js';
import type { Random } from '../core/basics/random.js';
import type { Kind } from '../core/kind/kind.js';
import { remove } from '../core/mutations.js';
import { handleNamed } from '../core/reading.js';
import { groupedId } from './shared/addresses/generate.js';

/** The API documents no other member. */
interface FundingAddress {
  readonly id: string;
}

const SEEDED = 5;

/** The funding addresses that users have added. */
export const fundingAddresses: Kind<FundingAddress> = {
  name: 'fundingAddresses',
  noun: 'funding address',
  owner: 'account',
  scope: 'funds',
  schema: () => z.object({ id: z.string() }),
  shown: (address) => address,
  operations: [
    handleNamed(
      deleteFundingAddress,
      () => fundingAddresses,
      (state, found) => {
        remove(state, fundingAddresses, found);
        return { data: { address_id: found.id, status: 'deleted' } };
      },
    ),
  ],
  choices: { [deleteFundingAddress.name]: 'Returns `{"address_id": …, "status": "deleted"}` as `data`.' },
};

export const seedFundingAddresses = (random: Random): FundingAddress[] =>
  Array.from({ length: SEEDED }, () => ({ id: groupedId('AB', random) }));
