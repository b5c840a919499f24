import { useEffect, useState } from 'preact/hooks';
import { Segments } from '../../../parts/choices.js';
import { Code } from '../../../parts/code.js';
import { readServiceApi } from '../../../parts/forms/documents.js';
import { clientCallOf, typescriptCode } from '../../../parts/programs/client-call.js';
import { curlCode } from '../../../parts/programs/curl.js';
import { pythonCode } from '../../../parts/programs/python.js';
import { sendableOf } from '../../../parts/programs/sendable.js';
import { testCode, whyNoTest } from '../../../parts/programs/test.js';
import { addressed } from '../../../wire/address.js';
import { read } from '../../../wire/api.js';
import { live } from '../../../wire/live.js';
import type { RequestDetails, SandboxHealth } from '../../../wire/sandbox.js';
import type { TabProps } from './messages.js';

const LANGUAGES = [
  ['curl', 'curl'],
  ['typescript', 'TypeScript'],
  ['python', 'Python'],
  ['test', 'Test'],
] as const;

const language = addressed('language', 'curl');

/** The request as a program that signs and sends it. Secrets are not in it. */
export function CodeTab({ details }: TabProps) {
  const { value, set } = language;
  return (
    <>
      <Segments label="Language" of={LANGUAGES} value={value} onChange={set} />
      <Program key={value} of={details} wanted={value} />
    </>
  );
}

function Program({ of, wanted }: { readonly of: RequestDetails; readonly wanted: string }) {
  const [written, setWritten] = useState<string | Error>();
  useEffect(() => {
    write(wanted, of).then(setWritten, setWritten);
  }, [of]);
  if (written === undefined) return null;
  if (written instanceof Error) return <p class="hint">{written.message}</p>;
  return <Code label={`The request as ${wanted}`} text={written} />;
}

/** The error says why there is no program. */
async function write(wanted: string, details: RequestDetails): Promise<string> {
  const sendable = orFail(sendableOf(details));
  if (wanted === 'curl') return curlCode(sendable, location.origin);
  if (wanted === 'python') return pythonCode(sendable, location.origin);
  const call = orFail(clientCallOf(await readServiceApi(), details.operation, sendable));
  if (wanted === 'typescript') return typescriptCode(call, location.origin);
  // What has come since changes nothing in it.
  const why = whyNoTest(details, live.entries.peek());
  if (why !== undefined) throw new Error(`There is no exact test of this request: ${why}.`);
  const { seed } = await read<SandboxHealth>('health');
  return testCode({ details, call, seed });
}

function orFail<T extends object>(found: T | string): T {
  if (typeof found === 'string') throw new Error(found);
  return found;
}
