import type { ControlCall } from '../options.js';
import { decoded } from '../request/route.js';
import type { Sandbox } from '../sandbox.js';
import { COLLECTIONS, type ControlMethod, METHODS, OLD_PATHS, READABLE, REMOVALS } from './control-routes.js';
import { DOCUMENTS, readDocument } from './documents.js';
import { type HostNames, hostProblem } from './host-names.js';

/** The paths of the control plane begin with it; no path of the API does. */
export const CONTROL_PREFIX = '/_sandbox/';

export interface ControlRequest {
  readonly method: string;
  readonly target: string;
  /** A header's value by its lower-case name. */
  header(name: string): string | undefined;
  readonly body: string;
}

export interface ControlAnswer {
  readonly status: number;
  readonly body: string;
  readonly call?: ControlCall;
}

/**
 * The sandbox's members over HTTP, unsigned, so a program in any language can drive it: `GET
 * /_sandbox/fixtures`, `POST /_sandbox/clock/advance` with the body `[60000]`, `DELETE
 * /_sandbox/faults/fault_1`. Answers `{"data": …}`, or `{"error": {"message": …}}` with 400, 403,
 * 404 or 405.
 */
export async function control(sandbox: Sandbox, request: ControlRequest, names: HostNames): Promise<ControlAnswer> {
  const problem = hostProblem(request.header, names);
  if (problem !== undefined) return refused(403, problem);
  const asked = request.target.slice(CONTROL_PREFIX.length);
  const path = OLD_PATHS.get(asked) ?? asked;
  const method = METHODS.get(path);
  if (method !== undefined && request.method === 'POST') return called(sandbox, method, asked, request);
  const read = READABLE.get(path);
  if (read !== undefined && request.method === 'GET') return answered(read(sandbox));
  if (read !== undefined) return refused(405, `${asked} is read with GET`);
  if (method !== undefined) return refused(405, `${asked} is called with POST`);
  if (DOCUMENTS.includes(path)) return answerDocument(path, request.method);
  return answerMember(sandbox, path, request.method) ?? notThere(asked);
}

/** A file as it is in the package, without `data` around it. */
function answerDocument(name: string, httpMethod: string): ControlAnswer {
  if (httpMethod !== 'GET') return refused(405, `${name} is read with GET`);
  try {
    return { status: 200, body: readDocument(name) };
  } catch (error) {
    return refused(404, (error as Error).message);
  }
}

/** One member of a collection, read or removed. Undefined if there is none. */
function answerMember(
  sandbox: Sandbox,
  path: string,
  httpMethod: string,
): ControlAnswer | Promise<ControlAnswer> | undefined {
  const slash = path.lastIndexOf('/');
  const [collection, id] = [path.slice(0, slash), path.slice(slash + 1)];
  const member = COLLECTIONS.get(collection)?.(sandbox, id);
  if (member === undefined) return undefined;
  if (httpMethod === 'GET') return answered(member);
  const removal = METHODS.get(REMOVALS.get(collection) ?? '');
  if (httpMethod !== 'DELETE' || removal === undefined) return refused(405, `${path} is read with GET`);
  return attempted(sandbox, removal, removal.name, () => [decoded(id)]);
}

/** `asked`: the path as the caller wrote it, which may be one of 0.4. */
async function called(
  sandbox: Sandbox,
  method: ControlMethod,
  asked: string,
  request: ControlRequest,
): Promise<ControlAnswer> {
  const name = asked.replaceAll('/', '.');
  const answer = await attempted(sandbox, method, name, () => argumentsFor(name, method, request));
  // 0.4 answered `null` to a request for a fault.
  const isOldFault = OLD_PATHS.has(asked) && method.name.startsWith('faults.');
  return isOldFault && answer.status === 200 ? { ...answer, ...answered(null) } : answer;
}

/** Calls a method. `name` is the caller's for it. */
async function attempted(
  sandbox: Sandbox,
  method: ControlMethod,
  name: string,
  args: () => readonly unknown[],
): Promise<ControlAnswer> {
  try {
    return withCall(sandbox, name, answered(await method.call(sandbox, args())));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // The caller reads the name that the caller used.
    const problem = message.startsWith(`${method.name}: `) ? name + message.slice(method.name.length) : message;
    return withCall(sandbox, name, refused(400, problem), problem);
  }
}

function argumentsFor(name: string, method: ControlMethod, { header, body }: ControlRequest): unknown[] {
  // A browser page cannot send this type to another origin without a preflight request, which is
  // not answered.
  if (header('content-type')?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    throw new TypeError('Content-Type must be application/json');
  }
  const args = argumentsIn(body);
  if (args.length <= method.args.length) return args;
  const count = args.length === 1 ? '1 argument' : `${args.length} arguments`;
  throw new TypeError(`${name} takes [${method.args.join(', ')}], not ${count}`);
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

function withCall(sandbox: Sandbox, method: string, answer: ControlAnswer, problem?: string): ControlAnswer {
  return { ...answer, call: { method, at: sandbox.clock.now(), status: answer.status, problem } };
}

function notThere(asked: string): ControlAnswer {
  const known = `GET: ${[...READABLE.keys(), ...DOCUMENTS].join(', ')}; POST: ${[...METHODS.keys()].join(', ')}`;
  return refused(404, `there is no ${asked}; ${known}`);
}

function answered(data: unknown): ControlAnswer {
  return { status: 200, body: JSON.stringify({ data: data ?? null }) };
}

function refused(status: number, message: string): ControlAnswer {
  return { status, body: JSON.stringify({ error: { message } }) };
}
