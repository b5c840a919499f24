import { type Call, effectsIn, hasFailed, toneOfAttempt } from '../../parts/calls.js';
import { summaryOf } from '../../parts/entries/summary.js';
import { Row, type RowState } from '../../parts/list.js';
import { Dot, Status, type Tone } from '../../parts/marks.js';
import { RowTime, spanOf } from '../../parts/values/times.js';
import { counted } from '../../parts/values/words.js';
import { hrefHere } from '../../wire/address.js';
import type { TimelineEntry } from '../../wire/sandbox.js';

/** A row is marked as new for this many ms of real time. */
const NEW_MS = 1_200;

interface CallRowProps extends RowState {
  readonly call: Call;
}

/** A call: when, how it ended, what it was about, and its attempts or why it failed. */
export function CallRow({ call, ...state }: CallRowProps) {
  const { last, attempts } = call;
  const { seq, at, real, status, method, operation, path, subject, reason, ms } = last;
  return (
    <Row
      href={hrefHere(seq)}
      look={`call ${attempts.length > 1 ? 'is-repeated' : ''} ${Date.now() - real < NEW_MS ? 'is-new' : ''}`}
      {...state}
    >
      <RowTime at={at} />
      <Status status={status} />
      <span class={method === 'GET' ? 'method' : 'method is-write'}>{method}</span>
      <span class="operation">{operation ?? path}</span>
      <span class="subject">{subject}</span>
      <span class={`cause tone-${hasFailed(last) ? toneOfAttempt(last) : 'plain'}`} title={reason}>
        {attempts.length > 1 && <Attempts call={call} />}
        {hasFailed(last) && (reason ?? last.verdict.replaceAll('_', ' '))}
      </span>
      <span class="ms">{ms < 1 ? '<1 ms' : spanOf(ms)}</span>
    </Row>
  );
}

/** Attempts that have a dot of their own. */
const DOTS = 5;

function Attempts({ call: { attempts } }: { readonly call: Call }) {
  const effects = effectsIn(attempts);
  const isWrite = attempts[0].method !== 'GET';
  return (
    <span class="attempts">
      {attempts.slice(-DOTS).map((one) => (
        <Dot key={one.seq} tone={toneOfAttempt(one)} />
      ))}{' '}
      {attempts.length} attempts{isWrite && `, ${counted(effects, 'effect')}`}{' '}
    </span>
  );
}

interface EntryRowProps extends RowState {
  readonly entry: TimelineEntry;
}

const TONES: Readonly<Record<string, Tone>> = { good: 'plain', plain: 'plain', warn: 'warn', bad: 'bad' };

/** Any entry of the timeline: when, its kind, what it is, and how it ended. */
export function EntryRow({ entry, ...state }: EntryRowProps) {
  const { title, result, detail, tone } = summaryOf(entry);
  return (
    <Row href={hrefHere(entry.seq)} look="entry" {...state}>
      <RowTime at={entry.at} />
      <span class="kind">{entry.kind}</span>
      <span>
        <span class="operation">{title}</span> {result !== undefined && <b class={`tone-${tone}`}>{result}</b>}{' '}
        <span class={`tone-${TONES[tone]}`}>{detail}</span>
      </span>
    </Row>
  );
}
