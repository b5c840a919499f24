import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createSandbox, type Sandbox } from 'partner-sdk/sandbox';
import { describe, expect, it, onTestFinished } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PATIENCE = 360_000;

interface Run {
  readonly code: number;
  readonly output: string;
}

/** Runs the program to its end. */
function run(variables: Readonly<Record<string, string>> = {}): Promise<Run> {
  const { PARTNER_BASE_URL: _, ...env } = process.env;
  return new Promise((resolve) => {
    const args = ['--import', 'tsx', 'examples/onboard-user.ts'];
    execFile(process.execPath, args, { cwd: ROOT, env: { ...env, ...variables } }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
    });
  });
}

/** A service of the reader's own, as far as the program sees. */
async function service(): Promise<{ sandbox: Sandbox; variables: Record<string, string> }> {
  const sandbox = createSandbox({ realTime: true, settings: { executionTimes: { 'verification.finish': 200 } } });
  onTestFinished(() => sandbox.close());
  const { url } = await sandbox.listen();
  const { apiKey, apiSecret } = sandbox.credentials;
  return { sandbox, variables: { PARTNER_BASE_URL: url, PARTNER_API_KEY: apiKey, PARTNER_API_SECRET: apiSecret } };
}

const times = (sandbox: Sandbox, operation: string) =>
  sandbox.journal.filter((entry) => entry.operation === operation && entry.verdict === 'accepted').length;

describe('from a new user to the first trade', () => {
  it('with the embedded sandbox', { timeout: PATIENCE }, async () => {
    const { code, output } = await run();
    expect(code, output).toBe(0);
    expect(output).toMatch(
      /^state pending, to do: .*\nsubmitted PV.*\nstate ok\n250 USD are there\nfirst trade executed/m,
    );
  });

  it('started again, it is one user, one document and one trade', { timeout: PATIENCE }, async () => {
    const { sandbox, variables } = await service();
    const rejected = await run({ ...variables, DOCUMENT_URL: 'https://documents.example/unreadable.jpg' });
    expect([rejected.code, rejected.output]).toEqual([1, expect.stringContaining('rejected (unreadable)')]);
    const user = sandbox.users.list().find(({ external_reference }) => external_reference === 'customer-4711');
    sandbox.accounts.deposit(user?.accounts[0]?.id ?? '', { symbol: 'USD', amount: '500' });
    sandbox.fail({ operation: 'users.verifications.submitUrl', fault: 'reset', when: 'after' });
    for (let started = 0; started < 2; started += 1) {
      const { code, output } = await run(variables);
      expect(code, output).toBe(0);
      expect(output).toContain('first trade executed');
      if (started === 0) expect(output).toContain('the response was lost, but the document arrived');
    }
    const references = sandbox.users.list().map(({ external_reference }) => external_reference);
    expect(references.filter((reference) => reference === 'customer-4711')).toHaveLength(1);
    expect(times(sandbox, 'accounts.quotes.create')).toBe(1);
    expect(times(sandbox, 'accounts.quotes.execute')).toBe(1);
  });
});
