import type { ScenarioName, ScenarioOptions } from '../scenarios/scenario.js';
import type { Scenario, Scenarios } from '../scenarios/scenarios.js';

/** `sandbox.scenarios`: simulates incidents in production, each with one call. */
export interface SandboxScenarios {
  /**
   * Starts a scenario. If it runs already, it restarts with these options.
   *
   * @throws TypeError for an unknown scenario, and for an option that it does not accept. Error for
   * an unknown user, asset or API key.
   */
  start(name: ScenarioName, options?: ScenarioOptions): Scenario;
  /** Returns all scenarios, each with a summary, its options, and whether it runs. */
  list(): Scenario[];
  /**
   * Stops a scenario, and restores what it changed. Does nothing if it does not run.
   *
   * @throws TypeError for an unknown scenario.
   */
  stop(name: ScenarioName): void;
  /** Stops all scenarios, the newest first. */
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
