import type { SandboxHealth } from '../../sandbox/drive/requests/watching.js';
import type { CheckEvidence, CheckStatus, SandboxCheck } from '../../sandbox/service/checks/check.js';
import { Curl } from '../parts/actions/curl.js';
import { download } from '../parts/actions/download.js';
import { useAction, useReading } from '../parts/hooks.js';
import { hrefOf } from '../parts/links/route.js';
import { Coded } from '../parts/values/coded.js';
import { momentOf } from '../parts/values/format.js';
import { curlOf, read } from '../wire/api.js';

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
        <span class={`badge tone-${TONES[status]}`}>
          <span aria-hidden="true">{MARKS[status]}</span> {WORDS[status]}
        </span>{' '}
        {title}
        {status === 'failed' && exceptionOf(check)}
      </h3>
      <p class="hint">
        <Coded text={meaning} />
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
          {text} {seq !== undefined && <a href={hrefOf('requests', seq)}>request {seq}</a>}
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

/** The words for how a check ended. */
const WORDS: Readonly<Record<CheckStatus, string>> = {
  failed: 'failed',
  passed: 'passed',
  unseen: 'not seen yet',
};

/** Checks that failed first, then those that have nothing to judge. */
function sorted(checks: readonly SandboxCheck[]): SandboxCheck[] {
  const order: readonly CheckStatus[] = ['failed', 'unseen', 'passed'];
  return order.flatMap((status) => checks.filter((check) => check.status === status));
}

function summaryOf(checks: readonly SandboxCheck[]): string {
  const count = (wanted: CheckStatus): number => checks.filter(({ status }) => status === wanted).length;
  return `${count('failed')} failed, ${count('passed')} passed, ${count('unseen')} not seen yet`;
}

/** Facts of the sandbox that a report is of. */
type ReportHead = Pick<SandboxHealth, 'version' | 'seed' | 'now'>;

function jsonReport(checks: readonly SandboxCheck[], { version, seed, now }: ReportHead): string {
  return JSON.stringify(
    { version, seed, at: new Date(now).toISOString(), real: new Date().toISOString(), checks },
    null,
    2,
  );
}

/** A report for a ticket. Foreign text in it stands as code, never as markup. */
function markdownReport(checks: readonly SandboxCheck[], { version, seed, now }: ReportHead): string {
  const parts = sorted(checks).map((check) => {
    const { title, meaning, status, found, evidence } = check;
    const more = found > evidence.length ? [`- and ${found - evidence.length} more`] : [];
    return [`## ${title}: ${WORDS[status]}`, '', meaning, '', ...evidence.map(lineOf), ...more, ''].join('\n');
  });
  const head = [
    '# Integration report',
    '',
    `partner-sdk ${version}, sandbox with seed ${seed}, ${momentOf(now)} by its clock, ${momentOf(Date.now())} by the machine's.`,
    '',
    `${summaryOf(checks)}.`,
    '',
  ];
  return [...head, ...parts].join('\n');
}

function lineOf({ text, seq, resource }: CheckEvidence): string {
  const place = seq === undefined ? '' : ` (request ${seq})`;
  const subject = resource === undefined ? '' : ` (${resource.kind} ${code(resource.id)})`;
  return `- ${code(text)}${place}${subject}`;
}

/** A line of code, whatever is in it. */
function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const mark = '`'.repeat(longest + 1);
  const space = longest > 0 ? ' ' : '';
  return `${mark}${space}${text.replace(/\s+/g, ' ')}${space}${mark}`;
}
