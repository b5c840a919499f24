/** The oldest Node that undici 7 runs on; `engines` in package.json says the same. */
const OLDEST_NODE = '20.18.1';

/**
 * Returns the message for a Node that is too old for this package, otherwise undefined. A runtime
 * that names no version of Node is supported.
 */
export function tooOldNode(version: string | undefined): string | undefined {
  if (version === undefined || !isOlder(version, OLDEST_NODE)) return undefined;
  return `partner-sdk needs Node ${OLDEST_NODE} or newer, this is Node ${version}: install a newer Node`;
}

function isOlder(version: string, than: string): boolean {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10));
  const others = than.split('.').map(Number);
  const first = others.findIndex((other, index) => parts[index] !== other);
  return first !== -1 && (parts[first] ?? 0) < (others[first] ?? 0);
}

/** With one of these on `Object.prototype`, Node cannot load its parts, or take lists apart. */
const STOP_LOADING = ['get', 'set', 'value', 'writable', 'return'];

/**
 * Returns the error about members of `Object.prototype` with which this package cannot be loaded:
 * those, and each one that is enumerable, which the helpers of bundlers take for an export. It is a
 * `ConfigurationError`, whose class would be loaded later.
 */
export function pollutionAtLoad(): Error | undefined {
  const enumerable: string[] = [];
  for (const name in {}) enumerable.push(name);
  const names = [...new Set([...STOP_LOADING.filter((name) => name in Object.prototype), ...enumerable])];
  if (names.length === 0) return undefined;
  const message = `Object.prototype has ${names.join(', ')}: partner-sdk cannot be loaded. Remove the code that puts them there`;
  const brands = ['PartnerError', 'ConfigurationError'];
  const members = { name: 'ConfigurationError', outcome: 'not_applied', [Symbol.for('partner-sdk.error')]: brands };
  return Object.assign(new Error(message), members);
}

// Each entry imports this module first: undici would otherwise end an old Node with
// `ReferenceError: File is not defined`.
const problem = tooOldNode(globalThis.process?.versions?.node);
if (problem !== undefined) throw new Error(problem);
const pollution = pollutionAtLoad();
if (pollution !== undefined) throw pollution;
