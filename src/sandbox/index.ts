/** A local service for tests and examples: `partner-sdk/sandbox`. */
export type { SandboxCredentials } from './authenticate.js';
export type { Fault, FaultOptions } from './faults.js';
export type { JournalEntry } from './journal.js';
export { createSandbox, type ListenOptions, type Sandbox, type SandboxOptions } from './sandbox.js';
export type { SandboxFixtures } from './seed/fixtures.js';
