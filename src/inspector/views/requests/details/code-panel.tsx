import { useLayoutEffect, useState } from 'preact/hooks';
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

const LANGUAGES = [
  ['curl', 'curl'],
  ['typescript', 'TypeScript'],
  ['python', 'Python'],
  ['test', 'Test'],
] as const;

const language = addressed('language', 'curl');

/** A program, or why there is none. */
type Written = { readonly code: string } | { readonly why: string };

/** The request as a program that signs and sends it. Secrets are not in it. */
export function CodePanel({ details }: { readonly details: RequestDetails }) {
  const [written, setWritten] = useState<Written>();
  const wanted = language.value;
  // At once: the program of one language would stand under the name of another.
  useLayoutEffect(() => {
    setWritten(undefined);
    let isCurrent = true;
    const show = (next: Written) => {
      if (isCurrent) setWritten(next);
    };
    write(wanted, details).then(show, (error: Error) => show({ why: error.message }));
    return () => {
      isCurrent = false;
    };
  }, [wanted, details]);
  return (
    <>
      <Segments label="Language" of={LANGUAGES} value={wanted} onChange={language.set} />
      {written !== undefined &&
        ('code' in written ? (
          <Code label={`The request as ${wanted}`} text={written.code} />
        ) : (
          <p class="hint">{written.why}</p>
        ))}
    </>
  );
}

async function write(wanted: string, details: RequestDetails): Promise<Written> {
  const sendable = sendableOf(details);
  if (typeof sendable === 'string') return { why: sendable };
  if (wanted === 'curl') return { code: curlCode(sendable, location.origin) };
  if (wanted === 'python') return { code: pythonCode(sendable, location.origin) };
  const call = clientCallOf(await readServiceApi(), details.operation, sendable);
  if (typeof call === 'string') return { why: call };
  if (wanted === 'typescript') return { code: typescriptCode(call, location.origin) };
  // What has come since changes nothing in it.
  const why = whyNoTest(details, live.entries.peek());
  if (why !== undefined) return { why: `There is no exact test of this request: ${why}.` };
  const { seed } = await read<SandboxHealth>('health');
  return { code: testCode({ details, call, seed }) };
}
