import { Changes } from './core/basics/changes.js';
import { Random } from './core/basics/random.js';
import { Clock } from './core/clock/clock.js';
import { isOfRun, subjectOf, type Task } from './core/clock/task.js';
import { ApiKeys } from './core/keys/api-keys.js';
import type { State } from './core/records/state.js';
import { Streams } from './core/streams.js';
import type { ClockEntry, TimerEntry } from './core/timeline/entries.js';
import type { DrivenService } from './drive/service/driven.js';
import { RecentEntries } from './drive/service/recent-entries.js';
import type { StateKeeper } from './drive/snapshot/keeping.js';
import { ownSnapshot, restoreState, saveState } from './drive/snapshot/saved-state.js';
import {
  readSnapshot,
  SNAPSHOT_VERSION,
  type SnapshotData,
  type WrittenSnapshot,
} from './drive/snapshot/snapshot-schema.js';
import { resetOtp } from './kinds/otp.js';
import { type Totals, totalsOf } from './kinds/registry/books.js';
import { HANDLERS, STEPS } from './kinds/registry/derived.js';
import { fixturesOf, type SandboxFixtures } from './kinds/seed/fixtures.js';
import { seedState } from './kinds/seed/seed.js';
import { addOwnUsers } from './kinds/users.js';
import type { SandboxOptions } from './options.js';
import { Authenticator } from './service/authenticate.js';
import { IdempotencyMemory } from './service/idempotency/idempotency.js';
import { Journal } from './service/journal/journal.js';
import { RequestProcessor } from './service/processor.js';
import { Troubles } from './trouble/registry.js';
import { CurrentSettings } from './trouble/settings.js';
import { WebhookDispatcher } from './webhooks/dispatcher.js';
import { webhookHandlers } from './webhooks/handlers.js';
import { seedWebhooks } from './webhooks/seed.js';

/** The parts of one sandbox, new from the seed or restored from a snapshot. */
export class Service implements DrivenService {
  readonly state: State;
  readonly webhooks: WebhookDispatcher;
  readonly keys: ApiKeys;
  readonly troubles: Troubles;
  readonly settings: CurrentSettings;
  readonly journal: Journal;
  readonly requests: RequestProcessor;
  readonly idempotency: IdempotencyMemory;
  readonly seed: number;
  readonly changes: RecentEntries<'change'>;
  readonly postings: RecentEntries<'posting'>;
  afterReset: () => void = () => {};
  /** Undefined: the state is not stored. */
  keeper: StateKeeper | undefined;
  /** The options from which `reset` makes everything again. */
  readonly #origin: SandboxOptions;
  readonly #streams: Streams;
  #fresh: Fresh | undefined;
  #fixtures: SandboxFixtures;
  /** Sums of the ledger at the last start, reset or restore. */
  firstTotals: Totals;

  /**
   * @throws TypeError for wrong users, and for a snapshot that cannot be read or has another seed.
   */
  constructor(options: SandboxOptions) {
    const snapshot = options.snapshot === undefined ? undefined : readSnapshot(options.snapshot, 'createSandbox');
    const { seed = snapshot?.seed ?? 1, otp, realTime = false, explain = false } = options;
    if (snapshot !== undefined && snapshot.seed !== seed) {
      throw new TypeError(`createSandbox: the snapshot was made with seed ${snapshot.seed}: leave seed out`);
    }
    const random = new Random(seed);
    this.seed = seed;
    this.#origin = originOf(options);
    const streams = new Streams(seed, snapshot === undefined ? 0 : snapshot.generation + 1);
    this.#streams = streams;
    const changes = new Changes();
    const clock = new Clock<Task>(realTime, snapshot?.clock.began);
    const { state, fixtures } = seedState(random, (label) => streams.of(label), clock, { ...options, changes });
    this.state = state;
    changes.announceTo((part) => state.timeline.announce(part));
    this.webhooks = new WebhookDispatcher({
      clock,
      timeline: this.state.timeline,
      events: this.state.events,
      changes,
      random: streams.of('webhook runtime'),
      subscriptions: seedWebhooks(random.fork('webhooks'), clock.began),
      deliver: options.deliver,
      backoff: options.webhookBackoff,
      onDelivery: options.onDelivery,
    });
    const [first] = this.webhooks.subscriptions.list();
    const webhookId = first?.subscription.id ?? '';
    this.#fixtures =
      snapshot?.fixtures ??
      this.state.timeline.silently(() => fixturesOf(this.state, { webhookId, ...fixtures }, random.fork('fixtures')));
    this.keys = new ApiKeys(streams.of('credentials'), clock, changes);
    const { webhooks } = this;
    this.troubles = new Troubles(options.troubles, state, streams.of('troubles'));
    webhooks.strike = (delivery, isPlanned) => this.troubles.strike(delivery, isPlanned);
    this.settings = new CurrentSettings(options.settings, clock, changes);
    const { journalLimit: limit, inspect, onRequest: onEntry, idempotencyKeys } = options;
    this.journal = new Journal({ limit, inspect, onEntry, idempotencyKeys });
    this.idempotency = new IdempotencyMemory(clock, changes, { explain, scope: options.idempotencyKeys });
    const { troubles, settings, journal } = this;
    const authenticator = new Authenticator({
      keys: this.keys,
      clock,
      explain,
      inspects: this.state.timeline.isKept,
    });
    this.requests = new RequestProcessor({
      state,
      authenticator,
      troubles,
      settings,
      journal,
      idempotency: this.idempotency,
      handlers: [...HANDLERS, ...webhookHandlers(webhooks)],
    });
    if (snapshot !== undefined) this.#put(snapshot);
    if (otp !== undefined) resetOtp(state);
    if (options.users !== undefined) {
      const own = options.users;
      state.timeline.silently(() => addOwnUsers(state, own));
    }
    this.keys.first(options.scopes);
    clock.begin({
      run: (task, cause) => this.#runNoted(task, cause),
      delayOf: (task) => settings.durationOf(task),
      cause: () => state.timeline.cause,
    });
    const { timeline } = state;
    timeline.silently(() => this.troubles.begin());
    this.changes = new RecentEntries(timeline, 'change');
    this.postings = new RecentEntries(timeline, 'posting');
    this.firstTotals = totalsOf(state);
  }

  get fixtures(): SandboxFixtures {
    const { otp } = this.#origin;
    return otp === undefined ? this.#fixtures : Object.freeze({ ...this.#fixtures, otp });
  }

  /** Restores the initial state. The used nonces are kept. */
  reset(): void {
    this.#checkIdle('reset');
    const { realTime = false } = this.#origin;
    const { clock, timeline } = this.state;
    if (realTime) clock.start();
    else clock.stop();
    const fresh = this.#fresh ?? makeFresh(this.#origin);
    // The data of a running clock starts at the current time.
    if (!realTime) this.#fresh = fresh;
    const { service, text } = fresh;
    this.#streams.copyFrom(service.#streams);
    timeline.silently(() => {
      this.#put(ownSnapshot(JSON.parse(text)));
      this.journal.clear();
      this.troubles.reset();
      this.settings.reset();
      this.webhooks.reset();
      this.afterReset();
    });
    timeline.clear();
    timeline.note<ClockEntry>({ kind: 'clock', what: 'reset' });
  }

  /**
   * Restores a state, and sets the clock to the time of the snapshot.
   *
   * @throws TypeError that names the first wrong member. Nothing has changed then.
   */
  restore(given: unknown): void {
    this.#checkIdle('restore');
    const data = readSnapshot(given, 'restore');
    if (data.seed !== this.seed) {
      throw new TypeError(`restore: the snapshot was made with seed ${data.seed}, this sandbox with ${this.seed}`);
    }
    this.#streams.begin(data.generation);
    const { clock, timeline } = this.state;
    const [before, ofRun] = [clock.now(), clock.agenda.filter(({ task }) => isOfRun(task))];
    const { ahead: _, ...saved } = data.clock;
    timeline.silently(() => this.#put({ ...data, clock: saved }));
    // Troubles keep their remaining durations.
    const shift = clock.now() - before;
    for (const { at, task } of ofRun) clock.schedule(at + shift, task);
    this.troubles.shift(shift);
    timeline.note<ClockEntry>({ kind: 'clock', what: 'restored' });
  }

  /** Returns the current state without troubles, settings and journal, which belong to one run. */
  snapshot(): WrittenSnapshot {
    this.state.clock.catchUp();
    return {
      format: 'partner-sandbox',
      version: SNAPSHOT_VERSION,
      seed: this.seed,
      generation: this.#streams.generation,
      fixtures: this.fixtures,
      keys: this.keys.save(),
      quotas: this.settings.quota.save(),
      idempotency: this.idempotency.save(),
      ...saveState(this.state, this.webhooks),
    };
  }

  #checkIdle(method: string): void {
    if (this.state.clock.isBusy) throw new Error(`${method}: cannot be called while the clock runs a step that is due`);
  }

  #put(data: SnapshotData): void {
    this.#fixtures = Object.freeze({ ...data.fixtures });
    restoreState(this.state, this.webhooks, data);
    this.keys.restore(data.keys);
    this.idempotency.restore(data.idempotency);
    this.settings.quota.restore(data.quotas);
    this.firstTotals = totalsOf(this.state);
    this.changes?.clear();
    this.postings?.clear();
  }

  /** Runs a task as the work of its own timeline entry. */
  #runNoted(task: Task, cause: number | undefined): void {
    const { timeline } = this.state;
    const entry = timeline.causedBy(cause, () => timeline.note<TimerEntry>({ kind: 'timer', ...subjectOf(task) }));
    timeline.causedBy(entry?.seq, () => {
      if (isOfRun(task)) this.troubles.end(task.id);
      else if (task.kind === 'webhook.attempt') this.webhooks.attempt(task.delivery);
      else STEPS[task.step]?.(this.state, task);
    });
    this.keeper?.changed();
  }

  /** Ends all timers and deliveries. */
  close(): void {
    this.state.clock.close();
    this.webhooks.close();
    this.state.timeline.close();
    this.journal.close();
  }
}

/**
 * Returns the options of a sandbox without its hooks, with a copy of the snapshot, which its owner
 * may change.
 */
function originOf({ snapshot, ...options }: SandboxOptions): SandboxOptions {
  const copy = snapshot === undefined ? {} : { snapshot: JSON.parse(JSON.stringify(snapshot)) };
  return { ...options, ...copy, onRequest: undefined, onDelivery: undefined, onControl: undefined, inspect: false };
}

/** A new copy of the sandbox. It is closed, so nothing changes it. */
interface Fresh {
  readonly service: Service;
  readonly text: string;
}

function makeFresh(origin: SandboxOptions): Fresh {
  const service = new Service(origin);
  service.close();
  return { service, text: JSON.stringify(service.snapshot()) };
}
