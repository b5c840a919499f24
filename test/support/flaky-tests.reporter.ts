import type { TestCase } from 'vitest/node';
import type { Reporter } from 'vitest/reporters';

/** Prints the tests that failed first and passed when they ran again: each is a fault to find. */
export default class FlakyTests implements Reporter {
  readonly #told: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky !== true) return;
    const first = test.result().errors?.[0];
    this.#told.push(`${test.module.relativeModuleId} > ${test.fullName}\n  ${first?.stack ?? first?.message}`);
  }

  onTestRunEnd(): void {
    if (this.#told.length > 0)
      console.warn(`\nFailed first, passed then: ${this.#told.length}\n${this.#told.join('\n')}`);
  }
}
