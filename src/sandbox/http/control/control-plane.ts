import { decoded } from '../../request/route.js';
import { DOCUMENTS, readDocument } from '../files/documents.js';
import { answerPage } from '../files/page.js';
import { argumentsFor, type Controlled, callMethod } from './control-call.js';
import { readFilter } from './control-filters.js';
import {
  answered,
  CONTROL_PREFIX,
  type ControlAnswer,
  type ControlRequest,
  isWithoutSlash,
  refused,
} from './control-messages.js';
import { COLLECTIONS, METHODS, OLD_PATHS, READABLE, REMOVALS, SHORT_PATHS } from './control-routes.js';
import { openEvents } from './event-stream.js';
import { type HostNames, hostProblem } from './host-names.js';
import { toInbox } from './inbox-route.js';

/** Options of a served sandbox. */
export interface Served extends HostNames {
  /** True if the page is served, too. */
  readonly inspector: boolean;
}

const NO_PAGE =
  'the page is not served: leave out --no-inspector (PARTNER_SANDBOX_INSPECTOR=0), or inspector: false of `listen`';

/** The target of a request. */
interface Asked {
  /** The path as the caller wrote it, which may be one of 0.4 or a short one. */
  readonly path: string;
  /** The path that it stands for. */
  readonly route: string;
  /** The query's text, without its question mark. */
  readonly query: string;
  /** The HTTP method. HEAD reads as GET does, and its answer is sent without the body. */
  readonly verb: string;
}

/**
 * The sandbox's members over HTTP, unsigned, so a program in any language can drive it: `GET
 * /_sandbox/fixtures`, `POST /_sandbox/clock/advance` with the body `[60000]`, `DELETE
 * /_sandbox/faults/fault_1`. Answers `{"data": …}`, or `{"error": {"message": …}}` with 400, 403,
 * 404, 405 or 409. A body that is too large is 413.
 */
export async function control(parts: Controlled, request: ControlRequest, served: Served): Promise<ControlAnswer> {
  const problem = hostProblem(request.header, served);
  if (problem !== undefined) return refused(403, problem);
  if (isWithoutSlash(request.target)) return { status: 308, body: '', headers: { location: CONTROL_PREFIX } };
  const received = await toInbox(parts.inbox, request);
  if (received !== undefined) return received;
  const asked = askedBy(request);
  if (METHODS.has(asked.route) && asked.verb === 'POST') return call(parts, asked, request);
  if (asked.route === 'events' && asked.verb === 'GET') return openEvents(parts.timeline, asked.query, request);
  if (READABLE.has(asked.route) || asked.route === 'events') return read(parts, asked);
  if (METHODS.has(asked.route)) return refused(405, `${asked.path} is called with POST`);
  if (DOCUMENTS.includes(asked.route)) return answerDocument(asked);
  if (asked.route === '') return served.inspector ? answerPage(asked.verb) : refused(404, NO_PAGE);
  return answerMember(parts, asked, request) ?? notThere(asked.path);
}

function askedBy({ method, target }: ControlRequest): Asked {
  const [path = '', ...query] = target.slice(CONTROL_PREFIX.length).split('?');
  const route = OLD_PATHS.get(path) ?? SHORT_PATHS.get(path) ?? path;
  return { path, route, query: query.join('?'), verb: method === 'HEAD' ? 'GET' : method };
}

async function call(parts: Controlled, { path, route }: Asked, request: ControlRequest): Promise<ControlAnswer> {
  const method = METHODS.get(route);
  if (method === undefined) return notThere(path);
  const name = path.replaceAll('/', '.');
  try {
    const answer = await callMethod(parts, { method, name, args: argumentsFor(name, method, request) }, request.gone);
    // 0.4 answered `null` to a request for a fault.
    const isOldFault = OLD_PATHS.has(path) && method.name.startsWith('faults.') && answer.status === 200;
    return isOldFault ? { ...answer, body: answered(null).body } : answer;
  } catch (error) {
    const problem = textOf(error);
    const at = parts.sandbox.clock.now();
    return { ...refused(400, problem), call: { method: name, at, status: 400, problem } };
  }
}

function read({ sandbox }: Controlled, { path, route, query, verb }: Asked): ControlAnswer {
  const member = READABLE.get(route);
  if (member === undefined || verb !== 'GET') return refused(405, `${path} is read with GET`);
  try {
    return answered(readFilter(path, route, query, (filter) => member(sandbox, filter)));
  } catch (error) {
    return refused(400, textOf(error));
  }
}

/** A file as it is in the package, without `data` around it. */
function answerDocument({ path, query, verb }: Asked): ControlAnswer {
  if (verb !== 'GET') return refused(405, `${path} is read with GET`);
  if (query !== '') return refused(400, `${path} takes no filter`);
  try {
    return { status: 200, body: readDocument(path) };
  } catch (error) {
    return refused(404, (error as Error).message);
  }
}

/** One member of a collection, read or removed. Undefined if there is none. */
function answerMember(
  parts: Controlled,
  { path, route, query, verb }: Asked,
  { gone }: ControlRequest,
): ControlAnswer | Promise<ControlAnswer> | undefined {
  const slash = route.lastIndexOf('/');
  const [collection, id] = [route.slice(0, slash), route.slice(slash + 1)];
  const member = COLLECTIONS.get(collection)?.(parts.sandbox, id);
  if (member === undefined) return undefined;
  if (query !== '') return refused(400, `${path} takes no filter`);
  if (verb === 'GET') return answered(member);
  const removal = METHODS.get(REMOVALS.get(collection) ?? '');
  if (verb !== 'DELETE' || removal === undefined) return refused(405, `${path} is read with GET`);
  return callMethod(parts, { method: removal, name: removal.name, args: [decoded(id)] }, gone);
}

function notThere(asked: string): ControlAnswer {
  const collection = asked.slice(0, asked.lastIndexOf('/'));
  if (COLLECTIONS.has(collection) && READABLE.has(collection)) {
    return refused(404, `there is no ${asked}; GET ${collection} lists what there is`);
  }
  const known = `GET: ${[...READABLE.keys(), ...DOCUMENTS, 'events'].join(', ')}; POST: ${[...METHODS.keys()].join(', ')}`;
  return refused(404, `there is no ${asked}; ${known}`);
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
