/**
 * The pictures of states. Their texts have the words; the sandbox's kinds say whether no state and
 * no transition is missing, and what makes a transition in the sandbox.
 */
import { type Machine, transitionsOf } from '../../src/sandbox/core/kind/states.js';
import { groupOf } from '../../src/sandbox/core/moves.js';
import { ARRIVING_MS, withdrawals } from '../../src/sandbox/kinds/funds/withdrawals.js';
import { EXECUTION_MS, QUOTE_TTL_MS, quotes } from '../../src/sandbox/kinds/quotes.js';
import { users } from '../../src/sandbox/kinds/users.js';
import { SCREENING_MS, wallets } from '../../src/sandbox/kinds/wallets.js';

interface States {
  readonly kind: Machine & { readonly group?: string };
  /** Time in ms until the step of the kind runs, and until a resource expires. */
  readonly stepMs?: number;
  readonly expiryMs?: number;
}

const STATES: Readonly<Record<string, States>> = {
  'docs/money/quote-states.svg': { kind: quotes, stepMs: EXECUTION_MS, expiryMs: QUOTE_TTL_MS },
  'docs/money/withdrawal-states.svg': { kind: withdrawals, stepMs: ARRIVING_MS },
  'docs/money/wallet-states.svg': { kind: wallets, stepMs: SCREENING_MS },
  'docs/sandbox/user-states.svg': { kind: users },
};

/** `  from -- words --> to`, with or without a shape of `to`. */
const WAY = /^ {2}(\w+) -- (.+) --> (\w+)(.*)$/gm;

/**
 * Returns the text of a picture with what makes each transition in the sandbox. Other pictures stay
 * as they are.
 *
 * @throws Error if the picture lacks a transition or first state of its kind, or has another one.
 */
export function withSandbox(file: string, text: string): string {
  const states = STATES[file];
  if (states === undefined) return text;
  const { kind } = states;
  const first = (kind.initial ?? []).map((to) => ({ from: 'begin', to }));
  const known = new Set([...first, ...transitionsOf(kind)].map(({ from, to }) => `${from} → ${to}`));
  const drawn = new Set(Array.from(text.matchAll(WAY), ([, from, , to]) => `${from} → ${to}`));
  const others = [...known, ...drawn].filter((way) => !known.has(way) || !drawn.has(way));
  if (others.length > 0) throw new Error(`${file} and the kind ${kind.name} differ in ${others.join(', ')}`);
  return text.replaceAll(WAY, (_, from: string, words: string, to: string, shape: string) => {
    const causes = causesOf(states, from, to);
    return `  ${from} -- ${words}${causes === '' ? '' : `<br/>sandbox: ${causes}`} --> ${to}${shape}`;
  });
}

/** What makes a transition in the sandbox: time, and methods. */
function causesOf({ kind, stepMs = 0, expiryMs = 0 }: States, from: string, to: string): string {
  const { steps = {}, moves = {}, expiry } = kind;
  const possible = Object.values(steps).filter((step) => step.from.includes(from));
  const times = [
    ...(expiry?.from === from && expiry.to === to ? [expiryMs] : []),
    ...possible.filter((step) => step.to === to).map(() => stepMs),
  ];
  const moved = Object.entries(moves).filter(([, move]) => {
    const end = move.to ?? steps[move.steps?.[0] ?? '']?.to;
    return move.from.includes(from) && end === to;
  });
  const prepared = possible.flatMap(({ after = {} }) => Object.entries(after).filter(([, end]) => end === to));
  const methods = [...moved, ...prepared].map(([name]) => `${groupOf(kind)}.${name}`);
  return [...times.map((ms) => `after ${ms / 1_000} s`), ...methods].join(' or<br/>');
}
