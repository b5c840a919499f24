import { isRecord } from '../../../util/options.js';
import { readBySchema } from '../../core/basics/read-by-schema.js';
import { SNAPSHOT_VERSION, type SnapshotData, snapshotSchema } from './snapshot-schema.js';

/** The whole state of a sandbox as plain JSON data. */
export interface SandboxSnapshot {
  readonly format: 'partner-sandbox';
  readonly version: 1;
  readonly seed: number;
  readonly [member: string]: unknown;
}

/**
 * Reads a copy of a snapshot. Throws a `TypeError` with the first wrong member, but without values.
 *
 * @param method Start of the message.
 */
export function readSnapshot(value: unknown, method: string): SnapshotData {
  const copy = copyOf(method, value);
  refuseOtherVersion(method, copy);
  const { value: read, issues } = readBySchema(snapshotSchema, copy);
  if (issues === undefined) return read;
  const [issue] = issues;
  throw notASnapshot(method, `${issue?.path || 'snapshot'}: ${issue?.message}`);
}

/** In another version, members may have another meaning. */
function refuseOtherVersion(method: string, value: unknown): void {
  const { format, version } = isRecord(value) ? (value as Partial<SandboxSnapshot>) : {};
  if (format !== 'partner-sandbox' || typeof version !== 'number' || version === SNAPSHOT_VERSION) return;
  const known = `this package reads version ${SNAPSHOT_VERSION} alone`;
  throw new TypeError(`${method}: the snapshot has version ${version}, ${known}: make a new one with \`snapshot()\``);
}

/** A copy, since later changes of the sandbox must not change the given data. */
function copyOf(method: string, value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    throw notASnapshot(method, 'snapshot: is not JSON data');
  }
}

const notASnapshot = (method: string, why: string): TypeError =>
  new TypeError(`${method}: snapshot is not the data of a sandbox: ${why}`);
