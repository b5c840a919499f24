import { addOwnUsers } from './controls/people/own-users.js';
import { ApiKeys } from './keys/api-keys.js';
import { completeConversion, settleConversion } from './lifecycles/conversions/on-demand.js';
import { restoreLimit } from './lifecycles/deposit-limits.js';
import { STEPS } from './lifecycles/index.js';
import { letPricesMove } from './lifecycles/price-trigger-swaps.js';
import { finishQuote } from './lifecycles/quotes.js';
import { screenWallet } from './lifecycles/wallets.js';
import type { SandboxOptions } from './options.js';
import { Authenticator } from './request/authenticate.js';
import { IdempotencyMemory } from './request/idempotency.js';
import { Journal } from './request/journal.js';
import { RequestProcessor } from './request/processor.js';
import { fixturesOf, type SandboxFixtures } from './seed/fixtures.js';
import { seedState } from './seed/seed.js';
import { restoreState, saveState } from './snapshot/saved-state.js';
import { readSnapshot } from './snapshot/snapshot.js';
import type { WrittenSnapshot } from './snapshot/snapshot-schema.js';
import { Clock } from './state/clock.js';
import { Random } from './state/random.js';
import type { State } from './state/state.js';
import { isOfRun, type RunTask, type Task } from './state/task.js';
import { Trouble } from './trouble/trouble.js';

/** The parts of one sandbox, new from the seed or restored from a snapshot. */
export class Service {
  readonly state: State;
  readonly fixtures: SandboxFixtures;
  readonly keys: ApiKeys;
  readonly trouble: Trouble;
  readonly journal: Journal;
  readonly requests: RequestProcessor;
  readonly #idempotency: IdempotencyMemory;
  readonly #seed: number;
  readonly #generation: number;

  /** @throws TypeError for wrong users, a snapshot that cannot be read or has another seed. */
  constructor(options: SandboxOptions) {
    const snapshot = options.snapshot === undefined ? undefined : readSnapshot(options.snapshot);
    const { seed = snapshot?.seed ?? 1, otp, realTime = false } = options;
    if (snapshot !== undefined && snapshot.seed !== seed) {
      throw new TypeError(`createSandbox: the snapshot was made with seed ${snapshot.seed}: leave seed out`);
    }
    const random = new Random(seed);
    this.#seed = seed;
    this.#generation = snapshot === undefined ? 0 : snapshot.generation + 1;
    // New ids after a restart must differ from those that were drawn before it.
    const runtime = this.#generation === 0 ? random : random.fork(`generation ${this.#generation}`);
    const clock = new Clock<Task>(realTime, snapshot?.clock.began);
    this.state = seedState(random, runtime, clock, options);
    const fixtures = snapshot?.fixtures ?? fixturesOf(this.state, random.fork('fixtures'));
    this.fixtures = otp === undefined ? fixtures : Object.freeze({ ...fixtures, otp });
    this.keys = new ApiKeys(runtime.fork('credentials'), clock);
    this.trouble = new Trouble(this.state, runtime, options);
    this.journal = new Journal(options.journalLimit, options.onRequest);
    this.#idempotency = new IdempotencyMemory(clock);
    const { state, trouble, journal } = this;
    const authenticator = new Authenticator(this.keys, clock);
    this.requests = new RequestProcessor({
      ...{ state, authenticator, trouble, journal, otp, idempotency: this.#idempotency },
    });
    if (snapshot !== undefined) {
      restoreState(this.state, snapshot);
      this.keys.restore(snapshot.keys);
      this.#idempotency.restore(snapshot.idempotency);
      this.trouble.quota.restore(snapshot.quotas);
    }
    if (options.users !== undefined) addOwnUsers(this.state, options.users);
    this.keys.first(options.scopes);
    clock.start(
      (task) => (isOfRun(task) ? trouble.run(task) : runTask(state, task)),
      (task) => trouble.stepTimes.of(task),
    );
    // Without the option prices go on as they did in the snapshot.
    if (options.movingPrices !== undefined) letPricesMove(this.state, options.movingPrices);
  }

  /** Returns everything as of now except faults and journal, which belong to one run. */
  snapshot(): WrittenSnapshot {
    this.state.clock.catchUp();
    return {
      format: 'partner-sandbox',
      version: 1,
      seed: this.#seed,
      generation: this.#generation,
      fixtures: this.fixtures,
      keys: this.keys.save(),
      quotas: this.trouble.quota.save(),
      idempotency: this.#idempotency.save(),
      ...saveState(this.state),
    };
  }

  /** No timer and no delivery outlives the sandbox. */
  close(): void {
    this.state.clock.stop();
    this.state.webhooks.close();
  }
}

function runTask(state: State, task: Exclude<Task, RunTask>): void {
  switch (task.kind) {
    case 'quote.finish':
      finishQuote(state, task);
      break;
    case 'wallet.screen':
      screenWallet(state, task);
      break;
    case 'conversion.settle':
      settleConversion(state, task);
      break;
    case 'conversion.complete':
      completeConversion(state, task);
      break;
    case 'limit.restore':
      restoreLimit(state, task);
      break;
    case 'step':
      STEPS[task.step]?.(state, task);
      break;
    case 'webhook.attempt':
      state.webhooks.attempt(task.delivery);
      break;
  }
}
