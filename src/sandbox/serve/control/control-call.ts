import { isSecretName, MASK, maskedValue } from '../../core/basics/masked.js';
import type { Timeline } from '../../core/timeline/timeline.js';
import type { ControlEntry } from '../../drive/timeline/entries.js';
import type { Inbox } from '../../webhooks/inbox/inbox.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { answered, Conflict, type ControlAnswer, type ControlRequest, refused } from './control-messages.js';
import type { ControlMethod } from './control-routes.js';

/** The sandbox behind the control plane, its timeline and its inboxes. */
export interface Controlled {
  readonly sandbox: Sandbox;
  readonly timeline: Timeline;
  readonly inbox: Inbox;
}

/** A method call in a request. */
interface ControlCallRequest {
  readonly method: ControlMethod;
  readonly args: readonly unknown[];
}

/** Calls a method. Everything that it causes becomes an effect of its timeline entry. */
export async function callMethod(
  { sandbox, timeline }: Controlled,
  { method, args }: ControlCallRequest,
  signal: AbortSignal,
): Promise<ControlAnswer> {
  const work = timeline.isKept ? timeline.begin() : undefined;
  const run = (): unknown => method.call(sandbox, args, signal);
  const { answer, problem } = await answerOf(() => (work === undefined ? run() : timeline.within(work, run)));
  const { status } = answer;
  if (work !== undefined) {
    timeline.fixPosition(work);
    const { seq, at, real, cause } = work;
    const shown = args.map((arg, index) => (isSecretName(method.args[index] ?? '') ? MASK : shownArgument(arg)));
    const call = { method: method.name, args: shown, status, problem };
    timeline.end<ControlEntry>(work, { kind: 'control', seq, at, real, cause, ...call });
  }
  return { ...answer, call: { method: method.name, at: sandbox.clock.now(), status, problem } };
}

async function answerOf(call: () => unknown): Promise<{ readonly answer: ControlAnswer; readonly problem?: string }> {
  try {
    return { answer: answered(await call()) };
  } catch (error) {
    const problem = textOf(error);
    return { answer: refused(error instanceof Conflict ? 409 : 400, problem), problem };
  }
}

/**
 * Maximum length of an argument in the timeline, in characters of JSON. Of a longer one, such as a
 * snapshot, only the plain members are kept.
 */
const MAX_SHOWN_LENGTH = 16_384;

function shownArgument(arg: unknown): unknown {
  const shown = maskedValue(arg);
  return JSON.stringify(shown).length <= MAX_SHOWN_LENGTH ? shown : maskedValue(arg, 1);
}

export const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Reads the arguments of a call.
 *
 * @throws TypeError for a body that is not a JSON array, and for a wrong number of arguments.
 */
export function argumentsFor(method: ControlMethod, { header, body }: ControlRequest): unknown[] {
  // A page of another origin cannot send this type without a preflight request, which is not
  // answered.
  if (header('content-type')?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    throw new TypeError('Content-Type must be application/json: send the arguments as a JSON array, [] for none');
  }
  const args = argumentsIn(body);
  const { name, args: known, needed } = method;
  if (args.length >= needed && args.length <= known.length) return args;
  const count = args.length === 1 ? '1 argument' : `${args.length} arguments`;
  const names = known.map((arg, index) => (index < needed ? arg : `${arg}?`));
  throw new TypeError(`${name} takes [${names.join(', ')}], not ${count}`);
}

function argumentsIn(body: string): unknown[] {
  try {
    const args: unknown = body === '' ? [] : JSON.parse(body);
    if (Array.isArray(args)) return args;
  } catch {
    // Text that is not JSON is not an array either.
  }
  throw new TypeError('the body must be a JSON array of the arguments');
}
