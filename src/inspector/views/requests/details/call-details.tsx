import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { Copy } from '../../../parts/actions/copy.js';
import type { Call } from '../../../parts/calls.js';
import { Segments, Tabs } from '../../../parts/choices.js';
import { useReading } from '../../../parts/hooks.js';
import { useHolders } from '../../../parts/links/holder.js';
import { Story, Verdict } from '../../../parts/marks.js';
import { capitalised } from '../../../parts/values/words.js';
import { addressed, hrefHere, step } from '../../../wire/address.js';
import { live } from '../../../wire/live.js';
import type { JournalEntry, RequestDetails } from '../../../wire/sandbox.js';
import { CallActions } from './actions.js';
import { CodeTab } from './code.js';
import { DifferenceTab, otherOf } from './difference.js';
import { markdownOf } from './markdown.js';
import { HeadersTab, RequestTab, ResponseTab, type TabProps } from './messages.js';
import { SigningTab } from './signing.js';
import { storyOf } from './story.js';
import { verdictOfCall } from './verdict.js';

interface CallDetailsProps {
  readonly call: Call;
  /** The attempt that the address names: the tabs are about it. */
  readonly attempt: JournalEntry;
  /** Title of the pane. */
  readonly title: string;
}

/** One call, one story: the verdict, what happened, and what was sent and received. */
export function CallDetails({ call, attempt, title }: CallDetailsProps) {
  const { data: details, problem } = useReading<RequestDetails>(`journal/${attempt.seq}`);
  const holders = useHolders();
  const entries = live.entries.value;
  const verdict = verdictOfCall(call);
  const steps = useMemo(() => storyOf(call, entries, holders), [call, entries, holders]);
  const markdown = () => markdownOf({ title, call, verdict, steps, details });
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
        <Copy label="as Markdown" shown="Copy as Markdown" of="the call" text={markdown} />
      </div>
      <Story
        label="What happened"
        steps={steps.map((one) => ({ ...one, what: <a href={hrefHere(one.seq)}>{one.what}</a> }))}
      />
      {call.attempts.length > 1 && (
        <Segments
          label="Attempt"
          value={String(attempt.seq)}
          onChange={step}
          of={call.attempts.map(({ seq }, index) => [String(seq), `Attempt ${index + 1}`])}
        />
      )}
      <CallTabs attempt={attempt} details={details} problem={problem} />
      <CallActions attempt={attempt} />
    </>
  );
}

const TABS: Readonly<Record<string, (props: TabProps) => ComponentChildren>> = {
  response: ResponseTab,
  request: RequestTab,
  headers: HeadersTab,
  signing: SigningTab,
  code: CodeTab,
  difference: DifferenceTab,
};

const tab = addressed('tab', 'response');

interface CallTabsProps {
  readonly attempt: JournalEntry;
  readonly details: RequestDetails | undefined;
  readonly problem: string | undefined;
}

function CallTabs({ attempt, details, problem }: CallTabsProps) {
  const names = Object.keys(TABS).filter((name) => name !== 'difference' || otherOf(attempt) !== undefined);
  const shown = names.includes(tab.value) ? tab.value : 'response';
  const Shown = TABS[shown] ?? ResponseTab;
  const wait = problem === undefined ? 'Loading …' : `The sandbox has dropped what was sent: ${problem}`;
  return (
    <Tabs
      label="Parts of the request"
      of={names.map((one) => [one, capitalised(one)])}
      value={shown}
      onChange={tab.set}
    >
      {details === undefined ? <p class="hint">{wait}</p> : <Shown details={details} />}
    </Tabs>
  );
}
