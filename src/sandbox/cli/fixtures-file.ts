import { readFileSync } from 'node:fs';
import type { SandboxUserInput } from 'partner-sdk/sandbox';
import { isRecord } from '../../util/options.js';
import { Failure, reasonOf } from './output/failure.js';
import { quoted } from './output/text.js';

/**
 * Returns the users of a file: `{"users": […]}`, or only the list. `createSandbox` checks them.
 *
 * @throws Failure (1) for a file that cannot be read, or is not JSON.
 */
export function usersIn(name: string): readonly SandboxUserInput[] {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(name, 'utf8'));
  } catch (error) {
    // The error of `JSON.parse` would quote the text.
    throw notFixtures(name, error instanceof SyntaxError ? 'it is not JSON' : reasonOf(error));
  }
  if (!isRecord(content)) return content as unknown as readonly SandboxUserInput[];
  const [unknown] = Object.keys(content).filter((member) => member !== 'users');
  if (unknown !== undefined) throw notFixtures(name, `${quoted(unknown)} is not known: it has "users" alone`);
  if (content['users'] === undefined) throw notFixtures(name, 'it has no "users"');
  return content['users'] as readonly SandboxUserInput[];
}

/** Runs `create`. Adds the name of the file to an error about users. */
export function creatingUsers<T>(name: string | undefined, create: () => T): T {
  try {
    return create();
  } catch (error) {
    const [, reason] = /^createSandbox: (users\b.*)$/s.exec(reasonOf(error)) ?? [];
    if (name === undefined || reason === undefined) throw error;
    throw notFixtures(name, reason);
  }
}

function notFixtures(name: string, reason: string): Failure {
  return new Failure(1, `the users cannot be read from ${quoted(name)}: ${reason}`);
}
