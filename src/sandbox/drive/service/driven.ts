import type { SandboxFixtures } from '../../kinds/seed/fixtures.js';
import type { ServiceParts } from '../../service/parts.js';
import type { EntryLog } from '../look/entry-log.js';
import type { Checkpoints } from '../snapshot/checkpoints.js';
import type { WrittenSnapshot } from '../snapshot/snapshot-schema.js';

/** A service with the parts that tests and programs drive. */
export interface DrivenService extends ServiceParts {
  readonly fixtures: SandboxFixtures;
  readonly checkpoints: Checkpoints;
  readonly changes: EntryLog<'change'>;
  readonly postings: EntryLog<'posting'>;
  snapshot(): WrittenSnapshot;
}
