import { useLayoutEffect, useState } from 'preact/hooks';
import type { RequestDetails } from '../../../../sandbox/drive/requests/details.js';
import type { SandboxHealth } from '../../../../sandbox/drive/requests/watching.js';
import type { TimelineEntry } from '../../../../sandbox/drive/timeline/entries.js';
import { Copy } from '../../../parts/actions/copy.js';
import { readServiceApi } from '../../../parts/forms/documents.js';
import { read } from '../../../wire/api.js';
import { clientCallOf, typescriptCode } from '../../../parts/programs/client-call.js';
import { curlCode } from '../../../parts/programs/curl.js';
import { pythonCode } from '../../../parts/programs/python.js';
import { sendableOf } from '../../../parts/programs/sendable.js';
import { testCode, whyNoTest } from '../../../parts/programs/test.js';

const LANGUAGES = ['curl', 'Python', 'TypeScript', 'test'] as const;

type Language = (typeof LANGUAGES)[number];

/** A program, or why there is none. */
type Written = { readonly code: string } | { readonly why: string };

interface CodePanelProps {
  readonly details: RequestDetails;
  readonly entries: readonly TimelineEntry[];
}

/** The request as a program that signs and sends it. Secrets are not in it. */
export function CodePanel({ details, entries }: CodePanelProps) {
  const [language, setLanguage] = useState<Language>();
  const [written, setWritten] = useState<Written>();
  // At once: the program of one language would stand under the name of another.
  useLayoutEffect(() => {
    setWritten(undefined);
    if (language === undefined) return undefined;
    let isCurrent = true;
    const show = (next: Written) => {
      if (isCurrent) setWritten(next);
    };
    write(language, details, entries).then(show, (error: Error) => show({ why: error.message }));
    return () => {
      isCurrent = false;
    };
    // What has come since changes nothing in it.
  }, [language, details]);
  return (
    <section aria-label="As code">
      <h3>As code</h3>
      <div class="handles">
        {LANGUAGES.map((one) => (
          <button
            type="button"
            key={one}
            aria-pressed={one === language}
            onClick={() => setLanguage(one === language ? undefined : one)}
          >
            {one === 'test' ? 'Turn into a test' : one}
          </button>
        ))}
        {written !== undefined && 'code' in written && <Copy label="copy" of={`${language}`} text={written.code} />}
      </div>
      {written !== undefined &&
        ('code' in written ? (
          <section aria-label={`The request as ${language}`}>
            <pre>{written.code}</pre>
          </section>
        ) : (
          <p class="hint">{written.why}</p>
        ))}
    </section>
  );
}

async function write(language: Language, details: RequestDetails, entries: readonly TimelineEntry[]): Promise<Written> {
  const sendable = sendableOf(details);
  if (typeof sendable === 'string') return { why: sendable };
  if (language === 'curl') return { code: curlCode(sendable, location.origin) };
  if (language === 'Python') return { code: pythonCode(sendable, location.origin) };
  const call = clientCallOf(await readServiceApi(), details.operation, sendable);
  if (typeof call === 'string') return { why: call };
  if (language === 'TypeScript') return { code: typescriptCode(call, location.origin) };
  const why = whyNoTest(details, entries);
  if (why !== undefined) return { why: `There is no exact test of this request: ${why}.` };
  const { seed } = await read<SandboxHealth>('health');
  return { code: testCode({ details, call, seed }) };
}
