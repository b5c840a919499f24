import { nearestName } from '../../../util/did-you-mean.js';
import { excerpt } from '../../core/basics/excerpt.js';
import { isSecretName, MASK, maskedValue } from '../../core/basics/masked.js';
import { decoded } from '../../core/request/route.js';
import type { Timeline } from '../../core/timeline/timeline.js';
import { CONTROL_GROUPS } from '../../drive/controls.js';
import type { ControlEntry } from '../../drive/timeline/entries.js';
import { INBOX_PATH, type Inbox } from '../../webhooks/inbox/inbox.js';
import { isInboxName } from '../../webhooks/inbox/inbox-options.js';
import { type HostNames, hostProblem } from '../sandbox/host-names.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { type Filter, readFilter } from './control-filters.js';
import {
  answered,
  CONTROL_PREFIX,
  Conflict,
  type ControlAnswer,
  type ControlRequest,
  isWithoutSlash,
  refused,
} from './control-messages.js';
import { COLLECTIONS, type ControlMethod, METHODS, READABLE } from './control-routes.js';
import { DOCUMENTS, readDocument } from './documents.js';
import { openEvents } from './event-stream.js';
import { answerPage } from './page.js';

export interface Served extends HostNames {
  /** True if the page is served. */
  readonly inspector: boolean;
}

const NO_PAGE = 'the page is not served: leave out inspector: false of `listen`';

/** The target of a request. */
interface Asked {
  /** Path without the prefix of the control plane. */
  readonly path: string;
  /** Text of the query, without its question mark. */
  readonly query: string;
  /** The HTTP method. HEAD is handled like GET, but the response is sent without its body. */
  readonly verb: string;
}

/**
 * Serves the sandbox's members over HTTP, unsigned, so a program in any language can drive it: `GET
 * /_sandbox/fixtures`, `POST /_sandbox/clock/advance` with the body `[60000]`, `DELETE
 * /_sandbox/troubles/trouble_1`. Answers `{"data": …}`, or `{"error": {"message": …}}` with 400,
 * 403, 404, 405 or 409. A body that is too large gets 413.
 */
export async function control(parts: Controlled, request: ControlRequest, served: Served): Promise<ControlAnswer> {
  const problem = hostProblem(request.header, served);
  if (problem !== undefined) return refused(403, problem);
  if (isWithoutSlash(request.target)) return { status: 308, body: '', headers: { location: CONTROL_PREFIX } };
  const received = await toInbox(parts.inbox, request);
  if (received !== undefined) return received;
  const asked = askedBy(request);
  const method = METHODS.get(asked.path) ?? READABLE.get(asked.path);
  if (method !== undefined && asked.verb === 'POST') return call(parts, method, request);
  if (asked.path === 'events' && asked.verb === 'GET') return openEvents(parts.timeline, asked.query, request);
  if (method !== undefined && [...READABLE.values()].includes(method)) return read(parts, method, asked);
  if (asked.path === 'events') return refused(405, 'events is read with GET');
  if (method !== undefined) return refused(405, `${asked.path} is called with POST`);
  if (DOCUMENTS.includes(asked.path)) return answerDocument(asked);
  if (asked.path === '') return served.inspector ? answerPage(asked.verb) : refused(404, NO_PAGE);
  return answerMember(parts, asked, request) ?? notThere(asked.path);
}

/**
 * Passes a delivery to its inbox: `POST /_sandbox/inbox/<name>`, with a body of any type. Returns
 * undefined for any other request.
 */
async function toInbox(
  inbox: Inbox,
  { method, target, headers, body, signal }: ControlRequest,
): Promise<ControlAnswer | undefined> {
  const [path = ''] = target.split('?');
  const name = path.slice(INBOX_PATH.length);
  if (method !== 'POST' || !path.startsWith(INBOX_PATH) || !isInboxName(name)) return undefined;
  const answer = await inbox.receive({ name, headers: headers(), body }, signal);
  return { status: answer.status, body: answer.body };
}

function askedBy({ method, target }: ControlRequest): Asked {
  const [path = '', ...query] = target.slice(CONTROL_PREFIX.length).split('?');
  return { path, query: query.join('?'), verb: method === 'HEAD' ? 'GET' : method };
}

async function call(parts: Controlled, method: ControlMethod, request: ControlRequest): Promise<ControlAnswer> {
  try {
    const args = argumentsFor(method, request);
    if (method.name !== 'restore' && hasMany(args)) throw new TypeError(TOO_MANY);
    return await callMethod(parts, method, args, request.signal);
  } catch (error) {
    const problem = textOf(error);
    const at = parts.sandbox.clock.now();
    return { ...refused(400, problem), call: { method: method.name, at, status: 400, problem } };
  }
}

function read({ sandbox }: Controlled, method: ControlMethod, { path, query, verb }: Asked): ControlAnswer {
  if (verb !== 'GET') return refused(405, `${path} is read with GET or POST`);
  const call = (filter: Filter) =>
    method.call(
      sandbox,
      method.args.map((name) => (name === 'filter' ? filter : filter[name])),
    );
  try {
    return answered(readFilter(path, method.filters, query, call));
  } catch (error) {
    return refused(400, textOf(error));
  }
}

/** Answers with a file of the package, without `data` around it. */
function answerDocument({ path, query, verb }: Asked): ControlAnswer {
  if (verb !== 'GET') return refused(405, `${path} is read with GET`);
  if (query !== '') return refused(400, `${path} takes no filter`);
  try {
    return { status: 200, body: readDocument(path) };
  } catch (error) {
    return refused(404, (error as Error).message);
  }
}

/** Reads or removes one member of a collection. Undefined if there is none. */
function answerMember(
  parts: Controlled,
  { path, query, verb }: Asked,
  { signal }: ControlRequest,
): ControlAnswer | Promise<ControlAnswer> | undefined {
  const slash = path.lastIndexOf('/');
  const [collection, id] = [path.slice(0, slash), path.slice(slash + 1)];
  const member = itemAt(parts, collection, id);
  if (member === undefined) return undefined;
  if (query !== '') return refused(400, `${path} takes no filter`);
  if (verb === 'GET') return answered(member);
  const group = CONTROL_GROUPS.find(({ name }) => name === collection);
  const removal = METHODS.get(`${collection}/${group?.removal}`);
  if (verb !== 'DELETE' || removal === undefined) return refused(405, `${path} is read with GET`);
  return callMethod(parts, removal, [decoded(id)], signal);
}

/** Undefined if there is none: some methods throw for an id that is unknown or not a number. */
function itemAt({ sandbox }: Controlled, collection: string, id: string): unknown {
  try {
    return COLLECTIONS.get(collection)?.(sandbox, id);
  } catch {
    return undefined;
  }
}

function notThere(asked: string): ControlAnswer {
  const collection = asked.slice(0, asked.lastIndexOf('/'));
  if (COLLECTIONS.has(collection) && READABLE.has(collection)) {
    return refused(404, `there is no ${excerpt(asked)}; GET ${collection} lists what there is`);
  }
  const nearest = nearestName(asked, [...READABLE.keys(), ...DOCUMENTS, 'events', ...METHODS.keys()]);
  const advice =
    nearest === undefined ? '; GET control.openapi.json describes what there is' : `: did you mean ${nearest}?`;
  return refused(404, `there is no ${excerpt(asked)}${advice}`);
}

/** The sandbox behind the control plane, its timeline and its inboxes. */
export interface Controlled {
  readonly sandbox: Sandbox;
  readonly timeline: Timeline;
  readonly inbox: Inbox;
}

/** Calls a method. Everything that it causes becomes an effect of its timeline entry. */
export async function callMethod(
  { sandbox, timeline }: Controlled,
  method: ControlMethod,
  args: readonly unknown[],
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
function argumentsFor(method: ControlMethod, { header, body }: ControlRequest): unknown[] {
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

/** Maximum number of members and items of a call's arguments, at any depth. Snapshots have more. */
const MAX_MEMBERS = 20_000;

const TOO_MANY = `the arguments have more than ${MAX_MEMBERS} members`;

function hasMany(args: readonly unknown[]): boolean {
  const found: unknown[] = [...args];
  for (const value of found) {
    const members = typeof value === 'object' && value !== null ? Object.values(value) : [];
    if (found.length + members.length > MAX_MEMBERS) return true;
    found.push(...members);
  }
  return false;
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
