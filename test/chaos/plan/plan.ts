import { idempotencyKeyFor, type KeyedWrite } from '../../../src/index.js';
import { Dice } from './dice.js';
import { KINDS, type Kind } from './kinds.js';

/** One call as the seed wants it; every process works it out for itself. */
export interface CallPlan {
  readonly id: number;
  readonly kind: string;
  /** What it acts on: its own number, or that of its twin. */
  readonly subject: number;
  /** The caller's own idempotency key; undefined leaves it to the client. */
  readonly idempotencyKey: string | undefined;
  /** What ends `unknown` is settled. */
  readonly settles: boolean;
  readonly maxRetries: number;
  readonly timeout: number;
  readonly attemptTimeout: number;
  /** `long-lived`: a signal that many calls share and that is never aborted. */
  readonly signal: 'none' | 'long-lived' | 'own';
  /** Milliseconds until the own signal is aborted: below 0 before the call, 0 in the same turn. */
  readonly abortAfter: number | undefined;
}

/** Which calls a seed makes. */
export interface Course {
  readonly seed: number;
  /** Its label. */
  readonly phase: string;
  /** Every keyed write has a key that a process started again finds by itself. */
  readonly resumable: boolean;
}

/** So many pairs of neighbours, if the first is a keyed write or a trade, do the same with the same key, at once, in different processes where there are several. */
const TWINS = 0.15;

const BY_WEIGHT = [...KINDS].map(([name, { weight }]) => [weight, name] as const);

export function planOf(course: Course, id: number): CallPlan {
  const { seed, phase, resumable } = course;
  const [subject, kind, isTwin] = whatOf(course, id);
  const dice = new Dice(seed, phase, 'call', id);
  const ownKey = resumable || isTwin || dice.chance(0.3);
  const keyed = kindOf(kind).repeats === 'keyed';
  const aborted = dice.chance(0.08);
  return {
    id,
    kind,
    subject,
    idempotencyKey:
      keyed && ownKey
        ? idempotencyKeyFor('chaos', kind as KeyedWrite, String(seed), phase, String(subject))
        : undefined,
    settles: keyed && new Dice(seed, phase, 'settles', id).chance(0.5),
    maxRetries: dice.weighted([
      [1, 0],
      [2, 1],
      [4, 2],
      [8, 3],
      [4, 5],
    ]),
    timeout: Math.ceil(dice.chance(0.06) ? dice.magnitude(5, 250) : dice.between(8_000, 20_000)),
    attemptTimeout: Math.ceil(dice.chance(0.08) ? dice.magnitude(15, 150) : dice.between(250, 900)),
    signal: aborted ? 'own' : dice.pick(['none', 'long-lived']),
    abortAfter: aborted ? dice.pick([-1, 0, Math.floor(dice.magnitude(1, 400))]) : undefined,
  };
}

export function kindOf(name: string): Kind {
  const kind = KINDS.get(name);
  if (kind === undefined) throw new Error(`there is no kind of call "${name}"`);
  return kind;
}

/** True for what must be known to have begun before it does, since a process that starts again must not make it again. */
export function mustNotRepeat(course: Course, { kind }: CallPlan): boolean {
  const { repeats } = kindOf(kind);
  return course.resumable && (repeats === 'bare' || repeats === 'delete');
}

/** Neighbours draw together: a keyed write or a trade of the first may be given to both. */
function whatOf({ seed, phase }: Course, id: number): [subject: number, kind: string, twin: boolean] {
  const first = id - (id % 2);
  const dice = new Dice(seed, phase, 'pair', first);
  const kinds = [dice.weighted(BY_WEIGHT), dice.weighted(BY_WEIGHT)] as const;
  const isTwin = dice.chance(TWINS) && ['keyed', 'trade'].includes(kindOf(kinds[0]).repeats);
  return isTwin ? [first, kinds[0], true] : [id, id === first ? kinds[0] : kinds[1], false];
}
