import type { SandboxFixtures } from '../../kinds/seed/fixtures.js';
import type { ServiceParts } from '../../service/parts.js';
import type { WrittenSnapshot } from '../snapshot/snapshot-schema.js';
import type { RecentEntries } from './recent-entries.js';

/** A service with the parts that tests and programs drive. */
export interface DrivenService extends ServiceParts {
  readonly fixtures: SandboxFixtures;
  readonly changes: RecentEntries<'change'>;
  readonly postings: RecentEntries<'posting'>;
  snapshot(): WrittenSnapshot;
}
