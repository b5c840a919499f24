import type { ScenarioName, ScenarioOptions } from '../scenarios/scenario.js';
import type { Scenario, Scenarios } from '../scenarios/scenarios.js';

/** `sandbox.scenarios`: troubles of production, each started and stopped by one call. */
export interface SandboxScenarios {
  /**
   * Starts a scenario. One that runs starts again with these options.
   *
   * @throws TypeError for an unknown scenario, and for an option that it does not take. Error for
   * an unknown user, asset or API key.
   */
  start(name: ScenarioName, options?: ScenarioOptions): Scenario;
  /** Returns all scenarios with a sentence about each, their options, and whether they run. */
  list(): Scenario[];
  /**
   * Ends a scenario, and restores what it changed. Does nothing if it does not run.
   *
   * @throws TypeError for an unknown scenario.
   */
  stop(name: ScenarioName): void;
  /** Ends all scenarios, the newest first. */
  stopAll(): void;
}

export function scenarioControls(scenarios: Scenarios): SandboxScenarios {
  return {
    start: (name, options = {}) => scenarios.start(name, options),
    list: () => scenarios.list(),
    stop: (name) => scenarios.stop('scenarios.stop', name),
    stopAll: () => scenarios.stopAll(),
  };
}
