import { expect } from 'vitest';
import { program, run } from './program.js';
import type { Report } from './reporting-caller.js';

const caller = program('test/support/processes/reporting-caller.ts');

/**
 * Calls from a process of its own, where an error that nobody catches is seen as such, and where more certificates can be trusted
 * (`NODE_EXTRA_CA_CERTS` is read at the start only).
 */
export async function callFrom(url: string, nonceOrder: string, maxRetries: number, trusted?: string): Promise<Report> {
  const env = trusted === undefined ? {} : { NODE_EXTRA_CA_CERTS: trusted };
  const { stdout } = await run(caller, [url, nonceOrder, String(maxRetries)], { env });
  return JSON.parse(stdout) as Report;
}

/** Every call was refused twice with nothing sent, and nothing is left of it. */
export function expectUnsent({ ends, inFlight, waiting, uncaught }: Report): void {
  expect(uncaught).toEqual([]);
  for (const end of ends) {
    expect(end).toMatchObject({ end: 'ConnectionError', outcome: 'not_applied', count: 2 });
    expect(end.reasons).toEqual(['not_sent', 'not_sent']);
  }
  expect({ inFlight, waiting }).toEqual({ inFlight: 0, waiting: 0 });
}
