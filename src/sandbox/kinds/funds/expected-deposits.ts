import * as z from 'zod/mini';
import {
  createExpectedDeposit,
  type ExpectedDeposit,
  type ExpectedDepositCreateBody,
  type Inbound,
} from '../../../resources/accounts/deposits.js';
import type { Wire } from '../../../schema/types.js';
import { ALPHABETS } from '../../core/basics/random.js';
import { DAY_MS, timestamp } from '../../core/clock/clock.js';
import { all } from '../../core/kind/find.js';
import type { Found, Kind, Moves } from '../../core/kind/kind.js';
import { statesOf } from '../../core/kind/states.js';
import { assetRef, type WireAssetRef } from '../../core/market/catalogue.js';
import { Money } from '../../core/money/money.js';
import { dropStep, scheduleStep } from '../../core/moves.js';
import { move, put } from '../../core/mutations.js';
import { outcomesOf, runsIn } from '../../core/outcomes.js';
import { handleCreation } from '../../core/reading.js';
import { answered, assetSide } from '../../core/records/saved-values.js';
import type { AccountState, State } from '../../core/records/state.js';
import { positive } from '../shared/amounts.js';
import { creditInbound } from './deposits.js';
import { openInbound } from './inbounds.js';

/** Time in ms from the arrival of the money to its credit. */
const CREDITING_MS = 30_000;
/** Time in ms after which a deposit that has not arrived is `expired`. */
const EXPIRY_MS = 7 * DAY_MS;

/** An expected deposit as the service shows it, with all members that the sandbox sets. */
type WireDeposit = Readonly<Wire<Omit<ExpectedDeposit, 'status' | 'asset' | 'inbound'>>> & {
  readonly id: string;
  readonly status: string;
  /** The expected asset and amount; after the arrival, the actual ones. */
  readonly asset: WireAssetRef & { readonly amount: string };
  readonly inbound: Wire<Inbound>;
};

/** The deposits that an account expects, oldest first. */
export const expectedDeposits: Kind<WireDeposit> = {
  name: 'expectedDeposits',
  noun: 'expected deposit',
  owner: 'account',
  scope: 'funds',
  schema: () =>
    answered<WireDeposit>(createExpectedDeposit, ['data'], {
      status: z.enum(statesOf(expectedDeposits)),
      asset: assetSide,
      inbound: z.looseObject({ id: z.string() }),
    }),
  shown: (deposit) => deposit,
  stateOf: ({ status }) => status,
  inState: (deposit, status) => ({ ...deposit, status }),
  initial: ['pending'],
  steps: {
    'expected_deposit.credit': {
      from: ['received'],
      to: 'credited',
      effect: (id) => `Expected deposit ${id} is credited.`,
      run: finish,
    },
    'expected_deposit.expire': {
      from: ['pending'],
      to: 'expired',
      effect: (id) => `Expected deposit ${id} expires, if nothing has arrived.`,
      run: (state, found) => announce(state, move(state, expectedDeposits, found, 'expired')),
    },
  },
  group: 'deposits',
  idName: 'depositId',
  moves: {
    credit: { from: ['received'], steps: ['expected_deposit.credit'] },
    expire: { from: ['pending'], steps: ['expected_deposit.expire'] },
  } satisfies Moves<'credit' | 'expire', WireDeposit>,
  methods: { list: { run: (state) => all(state, expectedDeposits).map(({ record }) => record) } },
  transitions: [{ from: 'pending', to: 'received' }],
  operations: [handleCreation<Wire<ExpectedDepositCreateBody>>(createExpectedDeposit, expectDeposit)],
  outcomes: [
    outcomesOf(createExpectedDeposit, 'id', {
      expired: runsIn(
        'Nothing arrives, and the deposit expires immediately or after `afterMs`.',
        'expected_deposit.expire',
        0,
      ),
    }),
  ],
  choices: {
    [createExpectedDeposit.name]:
      'Credits a deposit 30 s after it arrives, even if the amount differs. A deposit that has not arrived after seven days is `expired`.',
  },
};

function expectDeposit(
  state: State,
  account: AccountState,
  { asset: wanted, via }: Wire<ExpectedDepositCreateBody>,
): WireDeposit {
  const asset = state.catalogue.named(wanted.symbol, wanted.type, 'asset.symbol');
  positive(wanted.amount, 'asset.amount');
  const deposit: WireDeposit = {
    id: state.random.uuid(),
    status: 'pending',
    account: account.id,
    asset: { ...assetRef(asset), amount: wanted.amount },
    reference: state.random.text(10, ALPHABETS.upper),
    inbound: openInbound(state, { asset, via, lifecycle: 'single_use', field: 'via' }),
    created_at: timestamp(state.clock.now()),
  };
  const found = { account, id: deposit.id, record: deposit };
  for (const record of put(state, expectedDeposits, found)) {
    if (record.status === 'received') finish(state, { account, id: record.id, record });
  }
  scheduleStep(state, 'expected_deposit.expire', found, EXPIRY_MS);
  return deposit;
}

/** `pending → received`. `amount`: the amount that arrived. */
export function receiveExpected(state: State, found: Found<WireDeposit>, amount: string): WireDeposit {
  dropStep(state, 'expected_deposit.expire', found.id);
  const arrived = (deposit: WireDeposit): WireDeposit => ({ ...deposit, asset: { ...deposit.asset, amount } });
  const deposit = move(state, expectedDeposits, found, 'received', arrived);
  announce(state, deposit);
  scheduleStep(state, 'expected_deposit.credit', found, CREDITING_MS);
  return deposit;
}

/** `received → credited`. */
function finish(state: State, found: Found<WireDeposit>): void {
  const deposit = move(state, expectedDeposits, found, 'credited');
  announce(state, deposit);
  const { symbol, type, amount } = deposit.asset;
  const sum = { asset: state.catalogue.get(symbol, type), amount: new Money(amount) };
  creditInbound(state, found.account, sum, found.id);
}

function announce({ events }: State, deposit: WireDeposit): void {
  events.emit('deposit.status_updated', deposit);
}
