import type { TimelineEntry } from '../../wire/sandbox.js';
import { type Tone, toneOf } from '../marks.js';
import { spanOf } from '../values/times.js';
import { attemptEnd } from './deliveries.js';

/** One line of the timeline: what it is, in a few words, and how it ended. */
export interface Summary {
  readonly title: string;
  /** The status of the response to a request or a delivery. */
  readonly result?: string;
  readonly detail: string;
  readonly tone: Tone;
}

type SummaryOf = {
  readonly [Kind in TimelineEntry['kind']]: (entry: Extract<TimelineEntry, { kind: Kind }>) => Summary;
};

const SUMMARIES: SummaryOf = {
  request: ({ operation, method, path, status, verdict, likely, ms }) => ({
    title: operation ?? `${method} ${path}`,
    result: String(status ?? 'no response'),
    detail: `${verdict} · ${likely ?? spanOf(ms)}`,
    tone: toneOf(status),
  }),
  change: ({ resource, id, from, to }) => ({
    title: `${resource} ${id}`,
    detail: from === undefined ? to : `${from} → ${to}`,
    tone: /fail|reject|expired|blocked/.test(to) ? 'bad' : 'plain',
  }),
  posting: ({ from, to, asset, amount }) => ({ title: `${amount} ${asset}`, detail: `${from} → ${to}`, tone: 'plain' }),
  timer: ({ task, id }) => ({ title: task, detail: id, tone: 'plain' }),
  delivery: ({ delivery, attempt }) => ({
    title: delivery.type,
    result: String(attempt.status ?? 'no response'),
    detail: [delivery.status, attempt.status === undefined && attemptEnd(attempt), attempt.url]
      .filter(Boolean)
      .join(' · '),
    tone: attempt.status !== undefined && attempt.status < 300 ? 'good' : 'bad',
  }),
  control: ({ method, args, status, problem }) => ({
    title: method,
    detail: problem ?? JSON.stringify(args),
    tone: status === 200 ? 'plain' : 'bad',
  }),
  trouble: ({ id, what }) => ({ title: id, detail: what, tone: 'warn' }),
  clock: ({ what, ms }) => ({ title: `clock ${what}`, detail: ms === undefined ? '' : spanOf(ms), tone: 'plain' }),
};

export function summaryOf(entry: TimelineEntry): Summary {
  const summarise = SUMMARIES[entry.kind] as (one: TimelineEntry) => Summary;
  return summarise(entry);
}
