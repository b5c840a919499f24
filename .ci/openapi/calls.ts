/** Calls every operation through the client, with the inputs of the examples. */
import { type ClientOptions, fetchTransport, PartnerClient } from '../../src/index.js';
import { operations } from '../../src/resources/operations.js';
import type { Operation } from '../../src/schema/operation.js';
import type { Example } from '../../tools/examples/examples.js';

type Method = (...args: readonly unknown[]) => PromiseLike<unknown>;

/** Returns one line for each call that failed. */
export async function callAll(examples: ReadonlyMap<string, Example>, options: ClientOptions): Promise<string[]> {
  const client = new PartnerClient({ ...options, otp: '123456', maxRetries: 0 });
  const failures: string[] = [];
  try {
    // In the order of the examples: an id comes from the answer of an earlier call.
    for (const [name, example] of examples) {
      const operation = operations.find((one) => one.name === name);
      if (operation === undefined) throw new Error(`there is no operation ${name}`);
      try {
        await call(client, operation, example);
      } catch (error) {
        failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  } finally {
    await client.close();
  }
  return failures;
}

function call(
  client: PartnerClient,
  operation: Operation,
  { params = {}, query, body }: Example,
): PromiseLike<unknown> {
  const [method = '', ...groups] = operation.name.split('.').reverse();
  const group = groups
    .reverse()
    .reduce((at, name) => (at as Readonly<Record<string, object>>)[name] ?? {}, client as object);
  const ids = Array.from(operation.path.matchAll(/\{(\w+)\}/g), ([, name = '']) => params[name]);
  const args = [
    ...ids,
    ...(operation.query === undefined ? [] : [query ?? {}]),
    ...(operation.body === undefined ? [] : [body]),
  ];
  return (group as Readonly<Record<string, Method>>)[method]?.(...args) ?? Promise.reject(new Error('is no method'));
}

/**
 * A transport that writes into each answer what it must echo of the call. It is the one thing that random
 * data cannot know: an id of another call would be refused as the answer to that.
 */
export const echoing = () =>
  fetchTransport({
    fetch: async (input: unknown, init: unknown) => {
      const request = new Request(input as string, init as RequestInit);
      const sent = request.headers.get('content-type') === null ? undefined : await request.clone().json();
      const answer = await fetch(request);
      const text = await answer.text();
      const operation = operationOf(request);
      if (text === '' || operation?.correlation === undefined) return new Response(text || null, answer);
      return new Response(
        JSON.stringify(echoed(operation, JSON.parse(text), new URL(request.url).pathname, sent)),
        answer,
      );
    },
  } as Parameters<typeof fetchTransport>[0]);

function operationOf({ method, url }: Request): Operation | undefined {
  const { pathname } = new URL(url);
  return operations.find((one) => one.method === method && patternOf(one).test(pathname));
}

const patternOf = ({ path }: Operation): RegExp => new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);

function echoed(operation: Operation, answer: unknown, pathname: string, sent: unknown): unknown {
  const params = patternOf(operation).exec(pathname)?.groups ?? {};
  for (const { member, param, body = member } of operation.correlation ?? []) {
    const value = param === undefined ? at(sent, body) : decodeURIComponent(params[param] ?? '');
    const owner = at((answer as { data?: unknown }).data, member.slice(0, -1)) as Record<string, unknown> | undefined;
    const name = member.at(-1) ?? '';
    // The side without an amount in the call has one in the response.
    if (owner !== undefined && name in owner && value !== undefined) owner[name] = value;
  }
  return answer;
}

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Readonly<Record<string, unknown>> | undefined)?.[name], value);
