import { Curl } from '../parts/actions/curl.js';
import { download } from '../parts/actions/download.js';
import { useAction, useReading } from '../parts/hooks.js';
import { Badge, type Tone } from '../parts/marks.js';
import { momentOf } from '../parts/values/times.js';
import { Coded } from '../parts/values/words.js';
import { hrefOf } from '../wire/address.js';
import { curlOf, read } from '../wire/api.js';
import type { CheckEvidence, CheckStatus, SandboxCheck, SandboxHealth } from '../wire/sandbox.js';

/** An integration report: what is good and what is not about the partner's programs. */
export function Checks() {
  const { data: checks, problem } = useReading<SandboxCheck[]>('checks');
  if (checks === undefined) return <p class="empty">{problem ?? 'Running the checks …'}</p>;
  return (
    <section class="panel checks" aria-label="Integration report">
      <h2>Integration report</h2>
      <div class="score">
        <Ring checks={checks} />
        <div>
          <p role="status">{summaryOf(checks)}</p>
          <p class="hint">
            It judges the newest requests of your programs that the sandbox keeps, the deliveries and the ledger. What
            this page sends does not count. It has no secrets and no bodies, so you can send it to support.
          </p>
          {problem !== undefined && <p class="note">{problem}</p>}
          <Export checks={checks} />
        </div>
      </div>
      <ul>
        {sorted(checks).map((check) => (
          <Check key={check.id} check={check} />
        ))}
      </ul>
    </section>
  );
}

/** The share of the judged checks that passed, drawn; the sentence beside it says the same. */
function Ring({ checks }: { readonly checks: readonly SandboxCheck[] }) {
  const passed = checks.filter(({ status }) => status === 'passed').length;
  const judged = checks.filter(({ status }) => status !== 'unseen').length;
  return (
    <svg class="ring" viewBox="0 0 36 36" aria-hidden="true">
      <circle cx="18" cy="18" r="16" />
      <circle cx="18" cy="18" r="16" pathLength={Math.max(1, judged)} stroke-dasharray={`${passed} ${judged}`} />
      <text x="18" y="22" text-anchor="middle">
        {passed}/{judged}
      </text>
    </svg>
  );
}

function Export({ checks }: { readonly checks: readonly SandboxCheck[] }) {
  const { said, run } = useAction();
  const save = (name: string, type: string, write: typeof jsonReport): void =>
    run(async () => {
      download(name, type, write(checks, await read<SandboxHealth>('health')));
      return 'saved';
    });
  return (
    <p class="actions">
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

const TONES: Readonly<Record<CheckStatus, Tone>> = { failed: 'bad', passed: 'good', unseen: 'plain' };

/** Evidence that is shown at once. */
const SHOWN = 5;

/** A check that failed is told as a failure: `12 requests were refused with 401`. */
function Check({ check }: { readonly check: SandboxCheck }) {
  const { title, failure = title, meaning, status, found, evidence } = check;
  const first = status === 'failed' ? evidence.slice(0, SHOWN) : [];
  const rest = evidence.slice(first.length);
  return (
    <li>
      <h3>
        <Badge tone={TONES[status]}>{WORDS[status]}</Badge> {failure}
      </h3>
      <p class="hint">
        <Coded text={meaning} />
      </p>
      {first.length > 0 && <Evidence evidence={first} />}
      {rest.length > 0 && (
        <details>
          <summary>
            {first.length === 0 ? `${found} found` : `${found - sumOf(first)} more`}
            {found > sumOf(evidence) && `, the newest ${evidence.length} here`}
          </summary>
          <Evidence evidence={rest} />
        </details>
      )}
    </li>
  );
}

/** One line may stand for several findings. */
const sumOf = (evidence: readonly CheckEvidence[]): number => evidence.reduce((sum, { count = 1 }) => sum + count, 0);

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
const WORDS: Readonly<Record<CheckStatus, string>> = { failed: 'failed', passed: 'passed', unseen: 'not seen yet' };

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
  const head = { version, seed, at: new Date(now).toISOString(), real: new Date().toISOString() };
  return JSON.stringify({ ...head, checks }, null, 2);
}

/** A report for a ticket. Foreign text in it stands as code, never as markup. */
function markdownReport(checks: readonly SandboxCheck[], { version, seed, now }: ReportHead): string {
  const parts = sorted(checks).map(({ title, failure = title, meaning, status, found, evidence }) => {
    const left = found - sumOf(evidence);
    const more = left > 0 ? [`- and ${left} more`] : [];
    return [`## ${failure}: ${WORDS[status]}`, '', meaning, '', ...evidence.map(lineOf), ...more, ''].join('\n');
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
