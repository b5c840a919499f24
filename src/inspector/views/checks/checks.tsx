import type { SandboxHealth } from '../../../sandbox/drive/requests/watching.js';
import type { CheckEvidence, SandboxCheck } from '../../../sandbox/service/checks/check.js';
import { Curl } from '../../parts/actions/curl.js';
import { download } from '../../parts/actions/download.js';
import { useAction, useReading } from '../../parts/hooks.js';
import { hrefOf } from '../../parts/links/route.js';
import { curlOf, read } from '../../wire/api.js';
import { jsonReport, markdownReport, sorted, summaryOf, WORDS } from './report.js';

/** An integration report: what is good and what is not about the partner's programs. */
export function Checks() {
  const { data: checks, problem } = useReading<SandboxCheck[]>('checks');
  if (checks === undefined) return <p class="empty">{problem ?? 'Running the checks …'}</p>;
  return (
    <div class="checks">
      <header class="panel">
        <h2>Integration report</h2>
        <p role="status">{summaryOf(checks)}</p>
        <p class="hint">
          It judges the newest requests of your programs that the sandbox keeps, the deliveries and the ledger. What
          this page sends does not count. It has no secrets and no bodies, so you can send it to support.
        </p>
        {problem !== undefined && <p class="note">{problem}</p>}
        <Export checks={checks} />
      </header>
      <ul>
        {sorted(checks).map((check) => (
          <Check key={check.id} check={check} />
        ))}
      </ul>
    </div>
  );
}

function Export({ checks }: { readonly checks: readonly SandboxCheck[] }) {
  const { said, run } = useAction();
  const save = (name: string, type: string, write: typeof jsonReport): void =>
    run(async () => download(name, type, write(checks, await read<SandboxHealth>('health'))), 'saved');
  return (
    <p class="steps">
      <button type="button" onClick={() => save('integration-report.md', 'text/markdown', markdownReport)}>
        Save as Markdown
      </button>
      <button type="button" onClick={() => save('integration-report.json', 'application/json', jsonReport)}>
        Save as JSON
      </button>
      <Curl of="the checks" text={() => curlOf('checks/run')} />
      <span role="status">{said}</span>
    </p>
  );
}

const TONES = { failed: 'bad', passed: 'good', unseen: 'plain' } as const;
const MARKS = { failed: '✗', passed: '✓', unseen: '–' } as const;

/** Evidence that is shown at once. */
const SHOWN = 5;

function Check({ check }: { readonly check: SandboxCheck }) {
  const { title, meaning, status, found, evidence } = check;
  const first = status === 'failed' ? evidence.slice(0, SHOWN) : [];
  const rest = evidence.slice(first.length);
  return (
    <li class="panel check">
      <h3>
        <span class={`badge badge-${TONES[status]}`}>
          <span aria-hidden="true">{MARKS[status]}</span> {WORDS[status]}
        </span>{' '}
        {title}
        {status === 'failed' && exceptionOf(check)}
      </h3>
      <p class="hint">
        {meaning.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))}
      </p>
      {first.length > 0 && <Evidence evidence={first} />}
      {rest.length > 0 && (
        <details>
          <summary>
            {first.length === 0 ? `${found} found` : `${found - first.length} more`}
            {found > evidence.length && `, the newest ${evidence.length} here`}
          </summary>
          <Evidence evidence={rest} />
        </details>
      )}
    </li>
  );
}

/**
 * Completes the title of what failed: `No request was refused with 401: 3 were`, `Webhooks are
 * answered 2xx: 6 exceptions`.
 */
function exceptionOf({ title, found }: SandboxCheck): string {
  if (/^No(thing)?\b/.test(title)) return `: ${found} ${found === 1 ? 'was' : 'were'}`;
  return `: ${found} ${found === 1 ? 'exception' : 'exceptions'}`;
}

function Evidence({ evidence }: { readonly evidence: readonly CheckEvidence[] }) {
  return (
    <ul>
      {evidence.map(({ text, seq, resource }) => (
        <li key={`${seq} ${resource?.id} ${text}`}>
          {text} {seq !== undefined && <a href={hrefOf('timeline', seq)}>request {seq}</a>}
          {resource !== undefined && (
            <a href={hrefOf('resources', resource.kind, resource.id)}>
              {resource.kind} {resource.id}
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}
