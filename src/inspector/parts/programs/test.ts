import type { RequestDetails, TimelineEntry } from '../../wire/sandbox.js';
import type { ClientCall } from './client-call.js';

/** Why a test with the client cannot have this verdict, or not in a new sandbox. */
const INEXACT: Readonly<Record<string, string>> = {
  replayed: 'its answer is that of an earlier request with the same key',
  key_reused: 'an earlier request has used its key',
  over_quota: 'earlier requests have used up the quota',
  missing_scope: 'it depends on the scopes of its API key',
  broken_body: 'the client does not leave in the middle of a body',
  bad_request: 'the client refuses such input before it sends anything',
  conflict: 'it depends on what has happened before',
  gone: 'it depends on what has happened before',
};

interface TestParts {
  readonly details: RequestDetails;
  readonly call: ClientCall;
  readonly seed: number;
}

/** Returns why a test could not be exact; undefined if it can. */
export function whyNoTest(details: RequestDetails, entries: readonly TimelineEntry[]): string | undefined {
  const { verdict, status, fault, path, request } = details;
  if (Object.hasOwn(INEXACT, verdict)) return INEXACT[verdict];
  if (fault !== undefined && typeof fault !== 'number' && fault !== 'reset') {
    return 'a client tells broken answers in its own way';
  }
  if (fault === undefined && status === 401) return 'the client signs every request rightly';
  const text = `${path} ${request?.body?.text ?? ''}`;
  const made = entries.find((one) => one.kind === 'change' && one.from === undefined && text.includes(one.id));
  if (made?.kind === 'change') return `it names ${made.resource} ${made.id}, which a new sandbox does not have`;
  return undefined;
}

/** Writes a test for vitest that makes the call in a new sandbox and expects the same end. */
export function testCode({ details, call, seed }: TestParts): string {
  const { operation, status, verdict, fault } = details;
  const isGood = status !== undefined && status < 300;
  const name = `${operation} ${status === undefined ? 'gets no answer' : `is answered ${status}`}`;
  const when = verdict === 'fault_after' ? 'after' : 'before';
  return [
    "import { PartnerClient } from 'partner-sdk';",
    "import { createSandbox } from 'partner-sdk/sandbox';",
    "import { expect, it } from 'vitest';",
    '',
    '// A new sandbox with the same seed. What was set before, for example a balance, is not in it.',
    `it(${JSON.stringify(name)}, async () => {`,
    `  await using sandbox = createSandbox({ seed: ${seed} });`,
    '  const { url } = await sandbox.listen();',
    '  await using client = new PartnerClient({ baseUrl: url, ...sandbox.credentials, maxRetries: 0 });',
    ...(fault === undefined ? [] : [`  sandbox.fail(${JSON.stringify({ operation, fault, when })});`]),
    `  const call = ${call.text.replaceAll('\n', '\n  ')};`,
    ...(isGood
      ? [
          `  const { response } = await call${call.isList ? '' : '.withResponse()'};`,
          `  expect(response.status).toBe(${status});`,
        ]
      : [`  await expect(${call.isList ? 'call.toArray()' : 'call'}).rejects.toMatchObject(${errorOf(details)});`]),
    '});',
    '',
  ].join('\n');
}

function errorOf({ status, response }: RequestDetails): string {
  if (status === undefined) return "{ name: 'ConnectionError' }";
  const code = /"code":\s*("(?:[^"\\]|\\.)*")/.exec(response?.body.text ?? '')?.[1];
  const head = `response: { status: ${status} }`;
  return code === undefined ? `{ ${head} }` : `{ ${head}, code: ${code} }`;
}
