import { PartnerClient } from '../../../src/index.js';

/** Returns the methods of an object's resources: the name in the tree, and `Class.method`. */
function methodsOf(holder: object, prefix = ''): { readonly name: string; readonly method: string }[] {
  const groups = Object.entries(holder).flatMap(([name, group]) => methodsOf(group as object, `${prefix}${name}.`));
  if (holder instanceof PartnerClient) return groups;
  const { name: className } = holder.constructor;
  const own = Object.getOwnPropertyNames(Object.getPrototypeOf(holder)).filter((name) => name !== 'constructor');
  return [...own.map((name) => ({ name: prefix + name, method: `${className}.${name}` })), ...groups];
}

const client = new PartnerClient({ baseUrl: 'https://service.example', apiKey: 'k', apiSecret: 'c2VjcmV0' });
/** Every method of the client's resources. */
export const methods = methodsOf(client);
