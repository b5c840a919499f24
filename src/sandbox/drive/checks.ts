import type { GroupOf } from '../core/kind/group.js';
import type { SandboxCheck } from '../service/checks/check.js';
import { runChecks } from '../service/checks/run-checks.js';
import type { DrivenService } from './service/driven.js';

/** `sandbox.checks`: checks an integration. */
export interface SandboxChecks {
  /**
   * Checks the partner's integration so far: the requests of the journal, the deliveries, the
   * ledger. Requests that the sandbox itself sent do not count. Some checks need the option
   * `inspect`. The result contains no secret and no body, so it can be sent to support.
   */
  run(): SandboxCheck[];
}

export const checks: GroupOf<DrivenService, SandboxChecks> = {
  name: 'checks',
  methods: { run: { get: '', run: runChecks } },
};
