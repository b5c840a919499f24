import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty directory that is gone after the test. */
export async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'partner-sandbox-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}
