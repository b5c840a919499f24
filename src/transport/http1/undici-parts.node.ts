import type { UndiciParts } from './undici-parts.js';

export type { UndiciParts };

/** The `require` of CommonJS: this file is built in that form. */
declare const require: (name: string) => unknown;

/**
 * Loads two files of undici instead of all: 15 ms of CPU at start, not 60 (`npm run bench:start`).
 * If a version of undici has other files, it loads all. CI checks that every version that may be
 * installed has these files.
 */
export function undiciParts(): UndiciParts {
  parts ??= filesOfUndici() ?? (require('undici') as UndiciParts);
  return parts;
}

let parts: UndiciParts | undefined;

/** Undefined if undici has other files. Bun replaces the package undici, but not its files. */
function filesOfUndici(): UndiciParts | undefined {
  try {
    const Client = require('undici/lib/dispatcher/client.js') as UndiciParts['Client'];
    const errors = require('undici/lib/core/errors.js') as UndiciParts['errors'];
    const isWhole = 'dispatch' in Client.prototype && 'SocketError' in errors && 'InformationalError' in errors;
    return isWhole ? { Client, errors } : undefined;
  } catch {
    return undefined;
  }
}
