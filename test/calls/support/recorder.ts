import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';
import type { Hooks } from '../../../src/index.js';
import type { ClientOptions } from '../../support/scene.js';

export type { Hooks };
export type Logger = NonNullable<ClientOptions['logger']>;

export interface Told {
  readonly name: string;
  readonly event: Readonly<Record<string, unknown>> & { readonly callId: string };
}

export const HOOKS = ['onStart', 'onRequest', 'onResponse', 'onAttemptEnd', 'onRetry', 'onError', 'onEnd'] as const;

const LEVELS = ['debug', 'info', 'warn', 'error'];

/** Hooks and a logger that write down everything they get. */
export function recorder() {
  const told: Told[] = [];
  const lines: unknown[][] = [];
  const hooks: Hooks = Object.fromEntries(
    HOOKS.map((name) => [name, (event: Told['event']) => void told.push({ name, event })]),
  );
  const logger: unknown = Object.fromEntries(
    LEVELS.map((level) => [level, (...parts: unknown[]) => void lines.push([level, ...parts])]),
  );
  const of = (name: string) => told.filter((one) => one.name === name).map(({ event }) => event);
  return { told, hooks, of, lines, logger: logger as Logger };
}

/** What `process.emitWarning` was called with until a moment after `run`. */
export async function warningsOf(run: () => Promise<void>): Promise<(readonly unknown[])[]> {
  const emit = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  try {
    await run();
    await sleep(20);
    return emit.mock.calls;
  } finally {
    emit.mockRestore();
  }
}
