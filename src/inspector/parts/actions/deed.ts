import { call, curlOf, removalCurlOf, remove } from '../../wire/api.js';

/**
 * Something that the control plane is asked to do: a method with its arguments, or the removal of a
 * member.
 */
export type Deed =
  | { readonly method: string; readonly args: readonly unknown[] }
  | { readonly collection: string; readonly id: string };

export const carryOut = (deed: Deed): Promise<unknown> =>
  'method' in deed ? call(deed.method, ...deed.args) : remove(deed.collection, deed.id);

/** The command that does the same from a shell. */
export const lineOf = (deed: Deed): string =>
  'method' in deed ? curlOf(deed.method, ...deed.args) : removalCurlOf(deed.collection, deed.id);
