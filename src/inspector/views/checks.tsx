import { Curl } from '../parts/actions/curl.js';
import { useAction, useReading } from '../parts/hooks.js';
import { Badge, type Tone } from '../parts/marks.js';
import { Panel } from '../parts/pane.js';
import { Coded } from '../parts/values/words.js';
import { hrefOf } from '../wire/address.js';
import { curlOf, read } from '../wire/api.js';
import type { CheckEvidence, CheckStatus, SandboxCheck, SandboxHealth } from '../wire/sandbox.js';

const HINT =
  'It judges the newest requests of your programs that the sandbox keeps, the deliveries and the ledger. What this ' +
  'page sends does not count. It has no secrets and no bodies, so you can send it to support.';

/** How a check may end. What failed stands first. */
const ENDS: readonly (readonly [status: CheckStatus, words: string, tone: Tone])[] = [
  ['failed', 'failed', 'bad'],
  ['unseen', 'not seen yet', 'plain'],
  ['passed', 'passed', 'good'],
];

/** An integration report: what is good and what is not about the partner's programs. */
export function Checks() {
  const { data: checks, problem } = useReading<SandboxCheck[]>('checks');
  const { said, run } = useAction();
  if (checks === undefined) return <p class="empty">{problem ?? 'Running the checks …'}</p>;
  const ended = ENDS.map(([status, ...end]) => [checks.filter((check) => check.status === status), ...end] as const);
  const save = async (): Promise<string> => {
    const { version, seed, now } = await read<SandboxHealth>('health');
    const head = { version, seed, at: new Date(now).toISOString(), real: new Date().toISOString() };
    download('integration-report.json', JSON.stringify({ ...head, checks }, null, 2));
    return 'saved';
  };
  return (
    <div class="checks">
      <Panel title="Integration report" hint={HINT}>
        <p role="status">{ended.map(([found, words]) => `${found.length} ${words}`).join(', ')}</p>
        {problem !== undefined && <p class="note">{problem}</p>}
        <p class="actions">
          <button type="button" onClick={() => run(save)}>
            Save the report
          </button>
          <Curl of="the checks" text={() => curlOf('checks/run')} />
          <span role="status">{said}</span>
        </p>
        <ul>
          {ended.flatMap(([found, ...end]) => found.map((check) => <Check key={check.id} check={check} end={end} />))}
        </ul>
      </Panel>
    </div>
  );
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Evidence that is shown at once. */
const SHOWN = 5;

interface CheckProps {
  readonly check: SandboxCheck;
  readonly end: readonly [words: string, tone: Tone];
}

/** A check that failed is told as a failure: `12 requests were rejected with 401`. */
function Check({ check, end: [words, tone] }: CheckProps) {
  const { title, failure = title, meaning, status, found, evidence } = check;
  const first = status === 'failed' ? evidence.slice(0, SHOWN) : [];
  const rest = evidence.slice(first.length);
  return (
    <li>
      <h3>
        <Badge tone={tone}>{words}</Badge> {failure}
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

const Evidence = ({ evidence }: { readonly evidence: readonly CheckEvidence[] }) => (
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
