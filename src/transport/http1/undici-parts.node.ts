import type { UndiciParts } from './undici-parts.js';

export type { UndiciParts };

/** That of CommonJS, in which this file is built. */
declare const require: (name: string) => unknown;

/**
 * Loads two files of undici in place of all: 15 ms of CPU, not 60. If a version of undici has other
 * files, all of it is loaded; CI sees that those that may be installed have them.
 */
export function undiciParts(): UndiciParts {
  parts ??= filesOfUndici() ?? (require('undici') as UndiciParts);
  return parts;
}

let parts: UndiciParts | undefined;

/** Undefined if undici has other files. Bun replaces the package, and not its files. */
function filesOfUndici(): UndiciParts | undefined {
  if (process.versions['bun'] !== undefined) return undefined;
  try {
    const Client = require('undici/lib/dispatcher/client.js') as UndiciParts['Client'];
    const errors = require('undici/lib/core/errors.js') as UndiciParts['errors'];
    const isWhole = 'dispatch' in Client.prototype && 'SocketError' in errors && 'InformationalError' in errors;
    return isWhole ? { Client, errors } : undefined;
  } catch {
    return undefined;
  }
}
