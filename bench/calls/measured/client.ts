/**
 * What each client does under measurement. `quote`: reads 0.7 kB. `page`: reads 25 items, 14 kB. `write`: a POST, with an
 * idempotency key where the client has such.
 */
export const SHAPES = ['quote', 'page', 'write'] as const;
export type Shape = (typeof SHAPES)[number];

export interface MeasuredCall {
  call(): PromiseLike<unknown>;
  /** Makes one call and gives what `EVIDENCE` must hold for it. */
  prove(): Promise<string | undefined>;
}

export type MeasuredClient = { readonly [S in Shape]: MeasuredCall };

/** Every file of clients/ exports one as `create`. */
export type CreateClient = (origin: string) => MeasuredClient;

export function measured<T>(
  call: () => PromiseLike<T>,
  evidence: (answer: Awaited<T>) => string | undefined,
): MeasuredCall {
  return { call, prove: async () => evidence(await call()) };
}
