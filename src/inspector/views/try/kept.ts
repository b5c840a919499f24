import { signal } from '@preact/signals';
import type { Operation, ServiceApi } from '../../parts/forms/documents.js';
import type { SendResult } from '../../wire/sandbox.js';
import { type Draft, send } from './draft.js';
import { prepared } from './filling.js';

/** A form as the user has left it, and the last response. */
interface Kept {
  readonly draft?: Draft;
  readonly response?: SendResult | undefined;
  /** What has become of the last click. */
  readonly said?: string;
}

/** By the address of the form. They survive a visit to another view. */
export const kept = signal<Readonly<Record<string, Kept>>>({});

export function keep(id: string, change: Kept): void {
  kept.value = { ...kept.value, [id]: { ...kept.value[id], ...change } };
}

/** Sends a form, after what it needs. */
export async function submit(api: ServiceApi, operation: Operation, id: string, draft: Draft): Promise<void> {
  keep(id, { draft, said: 'sending …' });
  try {
    const ready = await prepared(api, draft);
    // Keeps what the user has typed meanwhile.
    if (kept.value[id]?.draft === draft) keep(id, { draft: ready });
    const response = await send(operation, ready);
    keep(id, { response, said: response.status === undefined ? 'no response' : `response ${response.status}` });
  } catch (error) {
    keep(id, { said: (error as Error).message });
  }
}
