/** Base path of the control plane: that of the page. */
export const BASE = new URL('.', location.href).pathname;

/**
 * Reads a member or a collection: `read('troubles')`. Members of the query that are undefined are
 * left out.
 */
export function read<T>(path: string, query: Readonly<Record<string, string | number | undefined>> = {}): Promise<T> {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const search = new URLSearchParams(given).toString();
  return ask(search === '' ? path : `${path}?${search}`);
}

/** Calls a method: `call('clock/advance', 60_000)`. */
export function call<T>(path: string, ...args: readonly unknown[]): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  return ask(path, { method: 'POST', headers, body: JSON.stringify(args) });
}

/** Removes a member of a collection: `remove('troubles', 'trouble_1')`. */
export function remove(collection: string, id: string): Promise<void> {
  return ask(`${collection}/${encodeURIComponent(id)}`, { method: 'DELETE' });
}

async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  const { data } = await answerOf<{ data: T }>(path, init);
  return data;
}

/** Fails with the message of the sandbox if it refuses. */
async function answerOf<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(BASE + path, init);
  const answer: T & { error?: { message: string } } = await response.json();
  if (answer.error !== undefined) throw new Error(answer.error.message);
  return answer;
}

/** The command that calls the same method from a shell. */
export function curlOf(path: string, ...args: readonly unknown[]): string {
  return `curl -s ${location.origin}${BASE}${path} --json ${quoted(JSON.stringify(args))}`;
}

/** The command that removes the same member from a shell. */
export function removalCurlOf(collection: string, id: string): string {
  return `curl -s -X DELETE ${quoted(`${location.origin}${BASE}${collection}/${encodeURIComponent(id)}`)}`;
}

/** Quotes any text as one word of a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const files = new Map<string, Promise<unknown>>();

/** Reads a file of the package, once: `readFile('openapi.json')`. */
export function readFile<T>(name: string): Promise<T> {
  const file = files.get(name) ?? answerOf(name);
  files.set(name, file);
  file.catch(() => files.delete(name));
  return file as Promise<T>;
}
