import type { ComponentChildren } from 'preact';

/** Good, doubtful, bad, worth a look, or none of them. */
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'plain';

/** The tone of an HTTP status; undefined: there was no response. */
export function toneOf(status: number | undefined): Tone {
  if (status === undefined || status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'good';
}

interface StatusProps {
  readonly status: number | undefined;
  /** Default: that of the status. */
  readonly tone?: Tone;
}

/** An HTTP status. Only trouble has a ground: a success is plain text. */
export const Status = ({ status, tone = toneOf(status) }: StatusProps) => (
  <b class={`status tone-${tone}`}>{status ?? 'none'}</b>
);

/** A word on its ground, such as a state. */
export function Badge({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge tone-${tone}`}>{children}</span>;
}

/** A small round mark. Its title says in words what its colour says. */
export function Dot({ tone, title }: { readonly tone: Tone; readonly title?: string }) {
  return <i class={`dot tone-${tone}`} title={title} />;
}

interface PillProps {
  readonly tone: Tone;
  readonly href: string;
  readonly children: ComponentChildren;
}

/** A fact of the whole sandbox, and the way to its view. */
export const Pill = ({ tone, href, children }: PillProps) => (
  <a class={`pill tone-${tone}`} href={href}>
    {children}
  </a>
);

interface VerdictProps {
  readonly tone: Tone;
  /** The answer in one sentence. */
  readonly title: string;
  /** The reason. */
  readonly children?: ComponentChildren;
}

const SIGNS: Readonly<Record<Tone, string>> = { good: '✓', warn: '!', bad: '✕', info: 'i', plain: '·' };

/** What the reader wants to know first. */
export function Verdict({ tone, title, children }: VerdictProps) {
  return (
    <div class={`verdict tone-${tone}`}>
      <span class="sign" aria-hidden="true">
        {SIGNS[tone]}
      </span>
      <strong>{title}</strong>
      {children !== undefined && <p>{children}</p>}
    </div>
  );
}

/** A step of a story. */
export interface StoryStep {
  readonly tone: Tone;
  /** For example `+90 ms`. */
  readonly when: string;
  /** The exact time, as a tooltip. */
  readonly exact?: string;
  readonly what: ComponentChildren;
  readonly more?: ComponentChildren;
}

/** What happened, one step a line, oldest first. */
export function Story({ label, steps }: { readonly label: string; readonly steps: readonly StoryStep[] }) {
  return (
    <ol class="story" aria-label={label}>
      {steps.map(({ tone, when, exact, what, more }, index) => (
        <li key={index}>
          <Dot tone={tone} />
          <time title={exact}>{when}</time>
          <span>
            <b>{what}</b> <span class="soft">{more}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
