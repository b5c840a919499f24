import {
  createSandbox,
  type FailOptions,
  type FaultKind,
  type Sandbox,
  type SandboxSnapshot,
} from '../../src/sandbox/index.js';
import { groupBy } from './judge/judge.js';
import { Dice } from './plan/dice.js';
import { accountOf, effects, fundingId, oldName, quoteId, type World } from './plan/kinds.js';
import { labelOf, type Phase } from './plan/phases.js';
import { type CallPlan, kindOf } from './plan/plan.js';

/** The members of a snapshot that are written and read here. */
interface State extends SandboxSnapshot {
  readonly accounts: readonly Account[];
}

interface Account {
  readonly id: string;
  readonly records: {
    quotes?: [id: string, record: { quote: Quote }][];
    wallets?: [id: string, record: { wallet: { address: string } }][];
    withdrawalAddresses?: [name: string, saved: SavedAddress][];
    fundingAddresses?: [id: string, record: { id: string }][];
  };
}

interface SavedAddress {
  /** Its name. */
  readonly key: string;
  readonly address: string;
  readonly tag: string | null;
  /** Orders the addresses by the time of their saving. */
  readonly sequence: number;
}

interface Quote {
  readonly id: string;
  readonly status: string;
  readonly expires_at: string;
  readonly from: { readonly amount: string };
}

/** What the sandbox keeps of each kind and account: beyond it, it forgets effects, and the judge would count wrongly. */
const RECORDS_KEPT = 10_000;
/** And of idempotency keys. */
const KEYS_KEPT = 20_000;

/** How long the service holds each answer back, in milliseconds. */
const LATENCY = [1, 8] as const;

/** The service's clock goes by so much, this often, in milliseconds: quotes are executed and expire while trades wait for them. */
const CLOCK_STEP = 1_000;
const CLOCK_EVERY = 100;

/** Of the service's clock: a trade takes less time than its quote is offered. */
const EXECUTION_TIMES = { 'quote.finish': 2_000 };

/** The quotes that calls execute do not expire. */
const NEVER = '2100-01-01T00:00:00.000000Z';

/** How many requests apart bursts of one fault come. */
const BURST_EVERY = [40, 200] as const;

/** None of them is a lie: a 4xx but 408 says that nothing happened, a 2xx that it did. */
const BURSTS: readonly FailOptions[] = [
  { fault: 503, times: 15 },
  { fault: 429, times: 10 },
  { fault: 503, times: 5, retryAfterSeconds: 1 },
  { fault: 'reset', when: 'after', times: 3 },
  { fault: 'reset', when: 'before', times: 3 },
  { fault: 'timeout', when: 'after', times: 1 },
  { fault: 'timeout', when: 'before', times: 1 },
  { fault: 504, when: 'after', times: 6 },
  { fault: 500, when: 'after', times: 6 },
  { fault: 500, when: 'before', times: 3 },
  { fault: 'html', when: 'after', times: 6 },
  { fault: 408, when: 'after', times: 6 },
  { fault: 'truncate', times: 3 },
  { fault: 'garbage', times: 2 },
];

/** The sandbox, not another fake: with everything that the plans need, its faults, and the truth about effects. */
export class Service {
  readonly sandbox: Sandbox;
  readonly world: World;
  readonly faults = new Map<string, number>();
  readonly #dice: Dice;
  readonly #deletable: readonly string[];
  #untilBurst: number;
  #clock: ReturnType<typeof setInterval> | undefined;

  constructor(seed: number, phase: Phase, plans: readonly CallPlan[]) {
    const label = labelOf(phase);
    const fresh = createSandbox({ seed });
    const { fixtures } = fresh;
    this.world = { phase: label, seed, fixtures };
    const needing = (what: string) => plans.filter(({ kind }) => kindOf(kind).needs === what);
    this.#deletable = needing('funding').map(({ subject }) => fundingId(subject));
    this.sandbox = createSandbox({
      snapshot: seeded(fresh.snapshot() as State, this.world, needing),
      journalLimit: Number.MAX_SAFE_INTEGER,
      troubles: [{ does: { delayMs: LATENCY } }],
      // Processes with API keys of their own, or that take them in turn, use idempotency keys together, so there the partner does.
      idempotencyKeys: phase.processes > 1 && phase.nonces !== 'shared' ? 'partner' : 'apiKey',
      settings: { executionTimes: EXECUTION_TIMES },
      onRequest: ({ fault }) => this.#noted(fault),
    });
    void fresh.close();
    this.#dice = new Dice(seed, label, 'bursts');
    this.#untilBurst = this.#dice.integer(...BURST_EVERY);
  }

  misbehave(): void {
    this.sandbox.troubles.add({ does: 'chaos', probability: 0.02 });
    this.#clock = setInterval(() => this.sandbox.advance(CLOCK_STEP), CLOCK_EVERY);
  }

  async close(): Promise<void> {
    clearInterval(this.#clock);
    await this.sandbox.close();
  }

  /** Nothing more is judged: the journal has stood still for a while. */
  async atRest(): Promise<void> {
    const { journal } = this.sandbox;
    for (let known = -1, still = 0; still < 5; still++) {
      if (journal.length !== known) still = 0;
      known = journal.length;
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
  }

  /** How often each effect is there now. */
  effects(): Map<string, number> {
    const { accounts } = this.sandbox.snapshot() as State;
    const left = new Set(
      accounts.flatMap(({ records: { fundingAddresses = [] } }) => fundingAddresses.map(([id]) => id)),
    );
    const found = [
      ...accounts.flatMap(effectsIn),
      ...this.#deletable.filter((id) => !left.has(id)).map((id) => effects.deletion(id)),
    ];
    return new Map([...groupBy(found, String)].map(([name, same]) => [name, same.length]));
  }

  #noted(fault: FaultKind | undefined): void {
    if (fault !== undefined) {
      const name = `service ${fault}`;
      this.faults.set(name, (this.faults.get(name) ?? 0) + 1);
    }
    if (--this.#untilBurst > 0) return;
    this.#untilBurst = this.#dice.integer(...BURST_EVERY);
    this.sandbox.fail(this.#dice.pick(BURSTS));
  }
}

/** The snapshot with the addresses to rename, the quotes to execute and the funding addresses to delete. */
function seeded(state: State, world: World, needing: (what: string) => readonly CallPlan[]): State {
  const of = (id: string): Account => {
    const account = state.accounts.find((one) => one.id === id);
    if (account === undefined) throw new Error(`there is no account ${id}`);
    return account;
  };
  const fresh = of(world.fixtures.accountId).records;
  const [[, model] = []] = fresh.quotes ?? [];
  const [[, address] = []] = fresh.withdrawalAddresses ?? [];
  if (model === undefined || address === undefined) throw new Error('a fresh sandbox has a quote and an address');
  const each = (what: string, add: (records: Account['records'], subject: number) => void) => {
    const subjects = new Set(needing(what).map(({ subject }) => subject));
    for (const subject of subjects) add(of(accountOf(world, subject)).records, subject);
  };
  each('address', (records, subject) => {
    records.withdrawalAddresses ??= [];
    const key = oldName(subject);
    const sequence = Math.max(0, ...records.withdrawalAddresses.map(([, one]) => one.sequence)) + 1;
    records.withdrawalAddresses.push([key, { ...address, key, tag: null, sequence }]);
  });
  each('quote', (records, subject) => {
    const id = quoteId(subject);
    records.quotes = [...(records.quotes ?? []), [id, { ...model, quote: { ...model.quote, id, expires_at: NEVER } }]];
  });
  each('funding', (records, subject) => {
    const id = fundingId(subject);
    records.fundingAddresses = [...(records.fundingAddresses ?? []), [id, { id }]];
  });
  return state;
}

function effectsIn({ records: { quotes = [], wallets = [], withdrawalAddresses = [] } }: Account): string[] {
  return [
    ...withdrawalAddresses.map(([name]) => effects.address(name)),
    ...wallets.map(([, { wallet }]) => effects.wallet(wallet.address)),
    ...quotes.map(([, { quote }]) => effects.quote(quote.from.amount)),
    ...quotes.filter(([, { quote }]) => quote.status !== 'offered').map(([, { quote }]) => effects.execution(quote.id)),
    ...quotes
      .filter(([, { quote }]) => ['executing', 'executed'].includes(quote.status))
      .map(([, { quote }]) => effects.trade(quote.from.amount)),
  ];
}

/** Throws when there are more writes than the sandbox remembers. */
export function checkSize(plans: readonly CallPlan[]): void {
  const writes = plans.filter(({ kind }) => kindOf(kind).repeats !== 'read').length;
  if (writes > Math.min(KEYS_KEPT, RECORDS_KEPT * 2)) {
    throw new Error(`${writes} writes are more than the sandbox remembers: ask for fewer calls a phase`);
  }
}
