import { useMemo } from 'preact/hooks';
import { Copy } from '../../../parts/actions/copy.js';
import type { Call } from '../../../parts/calls.js';
import { Segments, Tabs } from '../../../parts/choices.js';
import { useReading } from '../../../parts/hooks.js';
import { useHolders } from '../../../parts/links/holder.js';
import { Story, Verdict } from '../../../parts/marks.js';
import { addressed, hrefHere, step } from '../../../wire/address.js';
import { live } from '../../../wire/live.js';
import type { JournalEntry, RequestDetails } from '../../../wire/sandbox.js';
import { CallActions, compared } from './actions.js';
import { CodePanel } from './code-panel.js';
import { Difference } from './difference.js';
import { effectsOf } from './effects.js';
import { RequestFacts } from './facts.js';
import { markdownOf } from './markdown.js';
import { Headers, RequestBody, ResponseBody } from './messages.js';
import { Signing } from './signing.js';
import { storyOf } from './story.js';
import { verdictOfCall } from './verdict.js';

export const tab = addressed('tab', 'response');

interface CallDetailsProps {
  readonly call: Call;
  /** The attempt that the address names: the tabs are about it. */
  readonly attempt: JournalEntry;
  /** Title of the pane. */
  readonly title: string;
}

/** One call, one story: the verdict, what happened, and what was sent and received. */
export function CallDetails({ call, attempt, title }: CallDetailsProps) {
  const { data, problem } = useReading<RequestDetails>(`journal/${attempt.seq}`);
  const holders = useHolders();
  const entries = live.entries.value;
  const verdict = verdictOfCall(call);
  const steps = useMemo(() => storyOf(call, effectsOf(call, entries), holders), [call, entries, holders]);
  return (
    <>
      <p class="path mono">
        {attempt.method} {attempt.path}
      </p>
      <Verdict tone={verdict.tone} title={verdict.title}>
        {verdict.text}
      </Verdict>
      <div class="heading">
        <h3>What happened</h3>
        <Copy
          label="as Markdown"
          shown="Copy as Markdown"
          of="the call"
          text={() => markdownOf({ title, call, verdict, steps, details: data })}
        />
      </div>
      <Story
        label="What happened"
        steps={steps.map(({ what, more, seq, ...place }) => ({
          ...place,
          what: <a href={hrefHere(seq)}>{what}</a>,
          more,
        }))}
      />
      {call.attempts.length > 1 && (
        <Segments
          label="Attempt"
          value={String(attempt.seq)}
          onChange={step}
          of={call.attempts.map(({ seq }, index) => [String(seq), `Attempt ${index + 1}`] as const)}
        />
      )}
      <CallTabs attempt={attempt} details={data} problem={problem} />
      <CallActions attempt={attempt} />
    </>
  );
}

interface CallTabsProps {
  readonly attempt: JournalEntry;
  readonly details: RequestDetails | undefined;
  readonly problem: string | undefined;
}

function CallTabs({ attempt, details, problem }: CallTabsProps) {
  const other = differenceFrom(attempt);
  const tabs = [
    ['response', 'Response'],
    ['request', 'Request'],
    ['headers', 'Headers'],
    ['signing', 'Signing'],
    ['code', 'Code'],
    ...(other === undefined ? [] : [['difference', 'Difference'] as const]),
  ] as const;
  const shown = tabs.some(([name]) => name === tab.value) ? tab.value : 'response';
  const wait = problem === undefined ? 'Loading …' : `The sandbox has dropped what was sent: ${problem}`;
  return (
    <Tabs label="Parts of the request" of={tabs} value={shown} onChange={tab.set}>
      {details === undefined ? (
        <p class="hint">{wait}</p>
      ) : (
        <>
          {shown === 'response' && <ResponseBody {...details} />}
          {shown === 'request' && <RequestBody {...details} />}
          {shown === 'headers' && <Headers {...details} />}
          {shown === 'signing' && <Signing details={details} />}
          {shown === 'code' && <CodePanel details={details} />}
          {shown === 'difference' && other !== undefined && <Difference {...other} now={details} />}
          {(shown === 'request' || shown === 'headers') && <RequestFacts entry={attempt} />}
        </>
      )}
    </Tabs>
  );
}

/**
 * Another request that this one is compared with: the first with its idempotency key, or a chosen
 * one.
 */
function differenceFrom({ seq, conflict }: JournalEntry) {
  const chosen = Number(compared.value);
  if (compared.value !== '' && chosen !== seq) return { other: chosen, name: 'compared request', isWhole: true };
  if (conflict === undefined) return undefined;
  return { other: conflict.first, name: 'first request with this idempotency key', isWhole: false };
}
