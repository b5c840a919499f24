import * as z from 'zod/mini';
import { rule } from '../../../util/options.js';
import { excerpt } from '../../core/basics/excerpt.js';
import type { ApiKey } from '../../core/keys/api-keys.js';
import { METHOD, type ScenarioKind, type ScenarioOptions, type ScenarioParts } from './scenario.js';

const API_KEY: ScenarioKind['options'] = {
  apiKey: {
    rule: rule((value) => typeof value === 'string', 'must be text'),
    text: 'The API key; by default that of `credentials`.',
  },
};

function keyOf({ keys }: ScenarioParts, { apiKey = keys.list()[0]?.apiKey ?? '' }: ScenarioOptions): ApiKey {
  const key = keys.find(apiKey);
  if (key === undefined) throw new Error(`${METHOD}: there is no API key ${excerpt(apiKey)}`);
  return key;
}

const revokedUndo = z.object({ apiKey: z.string() });

export const revokedKey: ScenarioKind<z.output<typeof revokedUndo>> = {
  summary:
    'An API key is revoked while your program runs: each request with it gets 401. When it stops, the key works again.',
  options: API_KEY,
  saved: revokedUndo,
  start(parts, options) {
    const key = keyOf(parts, options);
    const { apiKey } = key;
    if (key.revoked) throw new Error(`${METHOD}: the API key ${apiKey} is revoked already`);
    parts.keys.change(key, () => {
      key.revoked = true;
    });
    return { apiKey };
  },
  stop({ keys }, { apiKey }) {
    const key = keys.find(apiKey);
    if (key === undefined) return;
    keys.change(key, () => {
      key.revoked = false;
    });
  },
};

/** The secrets before and after the rotation, base64. */
const rotatedUndo = z.object({ apiKey: z.string(), before: z.base64(), after: z.base64() });

export const rotatedKey: ScenarioKind<z.output<typeof rotatedUndo>> = {
  summary:
    'An API key gets a new secret while your program runs: the old one gets 401. When it stops, the old secret is restored.',
  options: API_KEY,
  saved: rotatedUndo,
  start(parts, options) {
    const key = keyOf(parts, options);
    const before = key.secretText;
    const { apiKey, apiSecret: after } = parts.keys.rotateSecret(key);
    return { apiKey, before, after };
  },
  stop({ keys }, { apiKey, before, after }) {
    const key = keys.find(apiKey);
    // A secret that was set in the meantime is kept.
    if (key?.secretText === after) keys.rotateSecret(key, Buffer.from(before, 'base64'));
  },
};
