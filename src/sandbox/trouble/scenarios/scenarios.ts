import { nearestName } from '../../../util/did-you-mean.js';
import { isRecord, readOptions } from '../../../util/options.js';
import type { FaultEntry } from '../fault-entry.js';
import { FOR, METHOD, type ScenarioKind, type ScenarioOptions, type Stage, type Stop } from './scenario.js';
import { SCENARIOS, type ScenarioName } from './table.js';

/** A scenario, running or not. */
export interface Scenario {
  readonly name: ScenarioName;
  /** A sentence about what it shows, and what its end puts back. */
  readonly summary: string;
  /** A sentence about each option that it takes. */
  readonly options: Readonly<Record<string, string>>;
  readonly running: boolean;
  /** The options with which it runs. */
  readonly given?: ScenarioOptions | undefined;
  /** Moment at which it began, by the sandbox's clock: milliseconds since the epoch. */
  readonly since?: number | undefined;
  /** Moment at which it ends by itself. Undefined: it lasts until it is stopped. */
  readonly until?: number | undefined;
}

interface Running {
  readonly given: ScenarioOptions;
  readonly since: number;
  readonly until: number | undefined;
  readonly stop: Stop;
}

/** The scenarios that run. They belong to one run of the sandbox. */
export class Scenarios {
  readonly #stage: Stage;
  readonly #running = new Map<ScenarioName, Running>();

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** A running one begins anew with these options. */
  start(wanted: string, options: ScenarioOptions): Scenario {
    const name = nameOf(METHOD, wanted);
    const given = checkedOptions(name, options);
    const { clock, timeline } = this.#stage.state;
    clock.catchUp();
    this.#end(name);
    const stop = SCENARIOS[name].start(this.#stage, given, name);
    const since = clock.now();
    const until = given.for === undefined ? undefined : since + given.for;
    this.#running.set(name, { given, since, until, stop });
    if (until !== undefined) clock.plan(until, { kind: 'scenario.end', id: name });
    timeline.note<FaultEntry>({ kind: 'fault', id: name, what: 'added' });
    clock.catchUp();
    return this.#recordOf(name);
  }

  list(): Scenario[] {
    this.#stage.state.clock.catchUp();
    return (Object.keys(SCENARIOS) as ScenarioName[]).map((name) => this.#recordOf(name));
  }

  /** One that does not run stays as it is. */
  stop(method: string, wanted: string): void {
    const name = nameOf(method, wanted);
    const { clock } = this.#stage.state;
    clock.catchUp();
    this.#end(name);
    clock.catchUp();
  }

  stopAll(): void {
    for (const name of [...this.#running.keys()].reverse()) this.#end(name);
  }

  /** Ends a scenario whose time is over. */
  end(name: string): void {
    this.#end(name as ScenarioName);
  }

  /** Moves the ends of running scenarios by ms, as a restore has moved the clock. */
  shift(ms: number): void {
    for (const [name, { since, until, ...running }] of this.#running) {
      this.#running.set(name, { ...running, since: since + ms, until: until === undefined ? undefined : until + ms });
    }
  }

  #end(name: ScenarioName): void {
    const running = this.#running.get(name);
    if (running === undefined) return;
    const { clock, timeline } = this.#stage.state;
    this.#running.delete(name);
    clock.drop((task) => task.kind === 'scenario.end' && task.id === name);
    running.stop();
    timeline.note<FaultEntry>({ kind: 'fault', id: name, what: 'ended' });
  }

  #recordOf(name: ScenarioName): Scenario {
    const { summary, options } = SCENARIOS[name] as ScenarioKind;
    const texts = Object.entries({ for: FOR, ...options }).map(([option, { text }]) => [option, text]);
    const known = { name, summary, options: Object.fromEntries(texts) as Record<string, string> };
    const running = this.#running.get(name);
    if (running === undefined) return { ...known, running: false };
    const { given, since, until } = running;
    return { ...known, running: true, given, since, until };
  }
}

function nameOf(method: string, wanted: string): ScenarioName {
  if (typeof wanted === 'string' && Object.hasOwn(SCENARIOS, wanted)) return wanted as ScenarioName;
  const names = Object.keys(SCENARIOS);
  const meant = nearestName(String(wanted), names);
  const hint = meant === undefined ? '' : `: did you mean ${meant}?`;
  throw new TypeError(`${method}: there is no scenario "${wanted}"${hint} Known: ${names.join(', ')}`);
}

function checkedOptions(name: ScenarioName, given: ScenarioOptions): ScenarioOptions {
  if (!isRecord(given)) throw new TypeError(`${METHOD}: the options must be an object`);
  const kind: ScenarioKind = SCENARIOS[name];
  const rules = Object.fromEntries(
    Object.entries({ for: FOR, ...kind.options }).map(([option, one]) => [option, one.rule]),
  );
  const { options, faults } = readOptions(given, rules);
  const [fault] = faults;
  if (fault !== undefined) throw new TypeError(`${METHOD}: ${name}: ${fault.name} ${fault.message}`);
  return options as ScenarioOptions;
}
