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

// Each entry imports this module first: undici would otherwise end an old Node with
// `ReferenceError: File is not defined`.
const problem = tooOldNode(globalThis.process?.versions?.node);
if (problem !== undefined) throw new Error(problem);
