import { IN_OUR_WORDS, issuesOf } from '../../schema/validate.js';
import { type SnapshotData, snapshotSchema } from './snapshot-schema.js';

/** The whole state of a sandbox as plain JSON data. */
export interface SandboxSnapshot {
  readonly format: 'partner-sandbox';
  readonly version: 1;
  readonly seed: number;
  readonly [member: string]: unknown;
}

/** Reads a copy of a snapshot. Throws a `TypeError` that names the first wrong place, no value. */
export function readSnapshot(value: unknown): SnapshotData {
  const result = snapshotSchema.safeParse(copyOf(value), IN_OUR_WORDS);
  if (result.success) return result.data;
  const [issue] = issuesOf(result.error);
  throw notASnapshot(`${issue?.path || 'snapshot'}: ${issue?.message}`);
}

/** Later changes of the sandbox must not change the given data. */
function copyOf(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    throw notASnapshot('snapshot: is not JSON data');
  }
}

const notASnapshot = (why: string): TypeError =>
  new TypeError(`createSandbox: snapshot is not the data of a sandbox: ${why}`);
