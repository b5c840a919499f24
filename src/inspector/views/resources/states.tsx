import { useEffect } from 'preact/hooks';
import { Badge, type Tone } from '../../parts/marks.js';
import { momentOf, spanOf } from '../../parts/values/times.js';
import type { ResourceDetails, SandboxResource } from '../../wire/sandbox.js';
import { wordsOf } from './values.js';

const GOOD = /^(executed|completed|approved|active|ok|credited|enabled|eligible|success)$/;
const BAD = /fail|reject|ineligible/;
const OVER = /expired|cancel|removed|disabled|paused|held|unknown/;

/** The tone of a state: a good end, a bad one, one that is neither, or something under way. */
export function toneOf(state: string): Tone {
  if (BAD.test(state)) return 'bad';
  if (OVER.test(state)) return 'plain';
  return GOOD.test(state) ? 'good' : 'info';
}

/** A state. Only one that is bad has a ground. */
export function State({ of }: { readonly of: string }) {
  const tone = toneOf(of);
  return tone === 'bad' ? <Badge tone={tone}>{wordsOf(of)}</Badge> : <span class={`tone-${tone}`}>{wordsOf(of)}</span>;
}

/** Reads again once the next step of a resource is due. */
export function useDue(of: readonly SandboxResource[], now: number | undefined, again: () => void): void {
  const isDue = now !== undefined && of.some(({ next }) => next !== undefined && next.at <= now);
  useEffect(() => {
    if (isDue) again();
  }, [isDue, now, again]);
}

interface StatesProps {
  /** All of its kind, initial ones first. */
  readonly states: readonly string[];
  readonly resource: ResourceDetails;
  /** The sandbox's time. */
  readonly now: number | undefined;
}

/** The states of a kind as a row of steps: those reached, the present one, and what comes next. */
export function States({ states, resource: { id, status = '', history, next }, now }: StatesProps) {
  const known = [...new Set([...states, status])];
  const reached = new Set([status, ...history.flatMap(({ from, to }) => [from, to])]);
  const isAside = (state: string): boolean => state !== known[0] && /bad|plain/.test(toneOf(state));
  return (
    <section aria-label="State">
      <h3 class="heading">State</h3>
      <ol class="steps">
        {[...known.filter((state) => !isAside(state)), ...known.filter(isAside)].map((state) => (
          <li
            key={state}
            class={`tone-${reached.has(state) ? toneOf(state) : 'plain'}${isAside(state) ? ' is-aside' : ''}`}
            aria-current={state === status ? 'step' : undefined}
          >
            {reached.has(state) ? '●' : '○'} {wordsOf(state)}
          </li>
        ))}
      </ol>
      {next !== undefined && now !== undefined && (
        <p title={momentOf(next.at)}>
          <b>In {spanOf(Math.max(0, next.at - now))}</b>: {next.what.replace(` ${id}`, '')}
        </p>
      )}
    </section>
  );
}
