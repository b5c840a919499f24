import type { SandboxFixtures } from '../../kinds/seed/fixtures.js';
import type { ServiceParts } from '../../service/parts.js';
import type { RecentEntries } from '../look/recent-entries.js';
import type { WrittenSnapshot } from '../snapshot/snapshot-schema.js';

/** A service with the parts that tests and programs drive. */
export interface DrivenService extends ServiceParts {
  readonly fixtures: SandboxFixtures;
  readonly changes: RecentEntries<'change'>;
  readonly postings: RecentEntries<'posting'>;
  snapshot(): WrittenSnapshot;
}
