import { type Call, effectsIn, hasFailed, toneOfAttempt } from '../../parts/calls.js';
import { summaryOf } from '../../parts/entries/summary.js';
import { Row, type RowState } from '../../parts/list.js';
import { Dot, Status } from '../../parts/marks.js';
import { RowTime, spanOf } from '../../parts/values/times.js';
import { counted } from '../../parts/values/words.js';
import { hrefHere } from '../../wire/address.js';
import type { TimelineEntry } from '../../wire/sandbox.js';

/** A row is marked as new for this many ms of real time. */
const NEW_MS = 1_200;

/** A call: when, how it ended, what it was about, and its attempts or why it failed. */
export function CallRow({ call: { last, attempts }, ...state }: RowState & { readonly call: Call }) {
  const { seq, at, real, status, method, operation, path, subject, reason, verdict, ms } = last;
  const [isRead, isRepeated] = [method === 'GET', attempts.length > 1];
  return (
    <Row
      href={hrefHere(seq)}
      look={`call ${isRepeated ? 'is-repeated' : ''} ${Date.now() - real < NEW_MS ? 'is-new' : ''}`}
      {...state}
    >
      <RowTime at={at} />
      <Status status={status} />
      <span class={isRead ? 'method' : 'method is-write'}>{method}</span>
      <span class="operation">{operation ?? path}</span>
      <span class="subject">{subject}</span>
      <span class={`cause tone-${hasFailed(last) ? toneOfAttempt(last) : 'plain'}`} title={reason}>
        {isRepeated && <Attempts of={attempts} isRead={isRead} />}
        {hasFailed(last) && (reason ?? verdict.replaceAll('_', ' '))}
      </span>
      <span class="ms">{ms < 1 ? '<1 ms' : spanOf(ms)}</span>
    </Row>
  );
}

/** Attempts that have a dot of their own. */
const DOTS = 5;

const Attempts = ({ of, isRead }: { readonly of: Call['attempts']; readonly isRead: boolean }) => (
  <span class="attempts">
    {of.slice(-DOTS).map((one) => (
      <Dot key={one.seq} tone={toneOfAttempt(one)} />
    ))}{' '}
    {of.length} attempts{!isRead && `, ${counted(effectsIn(of), 'effect')}`}{' '}
  </span>
);

/** Any entry of the timeline: when, its kind, what it is, and how it ended. */
export function EntryRow({ entry, ...state }: RowState & { readonly entry: TimelineEntry }) {
  const { title, result, detail, tone } = summaryOf(entry);
  return (
    <Row href={hrefHere(entry.seq)} look="entry" {...state}>
      <RowTime at={entry.at} />
      <span class="kind">{entry.kind}</span>
      <span>
        <span class="operation">{title}</span> {result !== undefined && <b class={`tone-${tone}`}>{result}</b>}{' '}
        <span class={`tone-${tone === 'good' ? 'plain' : tone}`}>{detail}</span>
      </span>
    </Row>
  );
}
