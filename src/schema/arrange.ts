import { isRecord } from '../util/options.js';

/** As `listAsData`, and makes a list of any other `data`, which is its only item then. */
export function anythingAsData(body: unknown): unknown {
  const arranged = listAsData(body);
  if (!isRecord(arranged)) return arranged;
  const only = arranged['data'];
  if (only !== undefined && only !== null && !Array.isArray(only)) arranged['data'] = [only];
  return arranged;
}

/**
 * Makes `{ data: [item…], … }` of `{ data: { assets: [item…], … } }`, and returns any other body as
 * it is. The members are put together in place: a hostile answer has 300,000 of them.
 */
export function listAsData(body: unknown): unknown {
  if (!isRecord(body) || !isRecord(body['data'])) return body;
  const container = body['data'];
  const [list, ...others] = Object.keys(container).filter((name) => Array.isArray(container[name]));
  if (list === undefined || others.length > 0) return body;
  const token = body['next_page_token'] ?? container['next_page_token'];
  const items = container[list];
  Reflect.deleteProperty(container, list);
  for (const name of Object.keys(body)) if (name !== 'data') putMember(container, name, body[name]);
  putMember(container, 'next_page_token', token);
  putMember(container, 'data', items);
  return container;
}

/** Puts a member into an object, also one of the name `__proto__`. */
export function putMember(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
