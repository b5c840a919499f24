import { nearestName } from '../../../util/did-you-mean.js';
import { isRecord, readOptions } from '../../../util/options.js';
import { excerpt } from '../../core/basics/excerpt.js';
import type { FaultEntry } from '../faults/fault-entry.js';
import { readScenarios, type SavedScenario } from './saved-scenarios.js';
import { FOR, METHOD, type ScenarioName, type ScenarioOptions, type ScenarioParts } from './scenario.js';
import { SCENARIO_NAMES, SCENARIOS } from './table.js';

/** A scenario, running or not. */
export interface Scenario {
  readonly name: ScenarioName;
  /** One sentence about the effect of the scenario, and what its end restores. */
  readonly summary: string;
  /** One sentence about each of its options. */
  readonly options: Readonly<Record<string, string>>;
  readonly running: boolean;
  /** The options of the running scenario. */
  readonly given?: ScenarioOptions | undefined;
  /** Start time: milliseconds since the epoch, by the sandbox's clock. */
  readonly since?: number | undefined;
  /** Time at which the scenario ends by itself. Undefined: it runs until it is stopped. */
  readonly until?: number | undefined;
}

type RunningScenario = Omit<SavedScenario, 'name'>;

/**
 * The running scenarios. They belong to one run of the sandbox: a snapshot does not contain them.
 */
export class Scenarios {
  readonly #parts: ScenarioParts;
  readonly #running = new Map<ScenarioName, RunningScenario>();

  constructor(parts: ScenarioParts) {
    this.#parts = parts;
  }

  /** A scenario that runs already restarts with these options. */
  start(wanted: string, options: ScenarioOptions): Scenario {
    const name = nameOf(METHOD, wanted);
    const given = checkedOptions(name, options);
    const { clock } = this.#parts.state;
    clock.catchUp();
    this.#end(name);
    const undo = SCENARIOS[name].start(this.#parts, given, name);
    const since = clock.now();
    const until = given.for === undefined ? undefined : since + given.for;
    this.#add(name, { given, since, until, undo });
    clock.catchUp();
    return this.#recordOf(name);
  }

  list(): Scenario[] {
    this.#parts.state.clock.catchUp();
    return SCENARIO_NAMES.map((name) => this.#recordOf(name));
  }

  /** Stops a scenario. Does nothing if it does not run. */
  stop(method: string, wanted: string): void {
    const name = nameOf(method, wanted);
    const { clock } = this.#parts.state;
    clock.catchUp();
    this.#end(name);
    clock.catchUp();
  }

  /** Stops all scenarios, newest first. */
  stopAll(): void {
    for (const name of [...this.#running.keys()].reverse()) this.#end(name);
  }

  /** Ends a scenario at its time. */
  end(name: string): void {
    this.#end(name as ScenarioName);
  }

  /** Moves the ends of running scenarios by ms, after a restore has moved the clock. */
  shift(ms: number): void {
    for (const [name, { since, until, ...running }] of this.#running) {
      this.#running.set(name, { ...running, since: since + ms, until: until === undefined ? undefined : until + ms });
    }
  }

  /**
   * Returns the running scenarios, oldest first, as plain JSON data, without their faults and
   * settings.
   */
  save(): SavedScenario[] {
    return Array.from(this.#running, ([name, { undo, ...running }]) => {
      const { run: _, ...saved } = undo;
      return { name, ...running, undo: saved };
    });
  }

  /**
   * Continues saved scenarios, so that their ends restore what they changed. The sandbox must have
   * the state in which they were saved.
   *
   * @param method Start of an error's message.
   * @throws TypeError that names the first wrong member.
   */
  restore(method: string, saved: unknown): void {
    for (const { name, ...running } of readScenarios(method, saved)) {
      this.#end(name);
      this.#add(name, running);
    }
  }

  #add(name: ScenarioName, running: RunningScenario): void {
    const { clock, timeline } = this.#parts.state;
    this.#running.set(name, running);
    if (running.until !== undefined) clock.schedule(running.until, { kind: 'scenario.end', id: name });
    timeline.note<FaultEntry>({ kind: 'fault', id: name, what: 'added' });
  }

  #end(name: ScenarioName): void {
    const running = this.#running.get(name);
    if (running === undefined) return;
    const { clock, timeline } = this.#parts.state;
    this.#running.delete(name);
    clock.drop((task) => task.kind === 'scenario.end' && task.id === name);
    SCENARIOS[name].stop(this.#parts, running.undo, name);
    timeline.note<FaultEntry>({ kind: 'fault', id: name, what: 'ended' });
  }

  #recordOf(name: ScenarioName): Scenario {
    const { summary, options } = SCENARIOS[name];
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
  const meant = nearestName(String(wanted), SCENARIO_NAMES);
  const hint = meant === undefined ? '' : `: did you mean ${meant}?`;
  throw new TypeError(
    `${method}: there is no scenario "${excerpt(wanted)}"${hint} Known: ${SCENARIO_NAMES.join(', ')}`,
  );
}

function checkedOptions(name: ScenarioName, given: ScenarioOptions): ScenarioOptions {
  if (!isRecord(given)) throw new TypeError(`${METHOD}: the options must be an object`);
  const kind = SCENARIOS[name];
  const rules = Object.fromEntries(
    Object.entries({ for: FOR, ...kind.options }).map(([option, one]) => [option, one.rule]),
  );
  const { options, faults } = readOptions(given, rules);
  const [fault] = faults;
  if (fault !== undefined) throw new TypeError(`${METHOD}: ${name}: ${fault.name} ${fault.message}`);
  return options as ScenarioOptions;
}
