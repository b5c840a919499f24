import * as z from 'zod/mini';
import type { RecordKind } from '../../core/records/records.js';

/** The parameters of each checkout whose link was created. Its page shows them. */
export const rampCheckouts: RecordKind<Readonly<Record<string, unknown>>> = {
  name: 'rampCheckouts',
  limit: 1_000,
  schema: () => z.record(z.string(), z.unknown()),
};
