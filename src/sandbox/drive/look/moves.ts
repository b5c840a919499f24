import type { AnyKind } from '../../core/kind/kind.js';
import { groupOf, movesFrom as namesFrom } from '../../core/moves.js';
import { KINDS } from '../../kinds/registry/index.js';

/** A method of the sandbox that the current state of a resource allows, with its arguments. */
export interface ResourceMove {
  /** For example `expire`. */
  readonly name: string;
  /** For example `quotes.expire`. */
  readonly method: string;
  /** Its arguments, as for `POST /_sandbox/quotes/expire`. */
  readonly args: readonly unknown[];
}

const OF_WEBHOOKS: readonly string[] = ['webhooks.rotateSecret', 'webhooks.remove'];

/** Returns the method calls that a state allows. */
export function movesFrom(name: string, id: string, status: string): ResourceMove[] {
  const kind = KINDS.find((one) => one.name === name);
  const { offers = [] } = kind ?? { offers: OF_WEBHOOKS };
  return [...(kind === undefined ? [] : movesOfKind(kind, id, status)), ...offers.map((method) => offerOf(method, id))];
}

const offerOf = (method: string, id: string): ResourceMove => ({
  name: method.slice(method.lastIndexOf('.') + 1),
  method,
  args: [id],
});

function movesOfKind(kind: AnyKind, id: string, status: string): ResourceMove[] {
  return namesFrom(kind, status).flatMap((name): ResourceMove[] => {
    const method = `${groupOf(kind)}.${name}`;
    const choices = kind.moves?.[name]?.choices?.(status);
    const args = argsOf(kind, id);
    if (choices === undefined) return [{ name, method, args }];
    return choices.map((last) => ({ name: `${name} ${last}`, method, args: [...args, last] }));
  });
}

/** Returns the arguments that identify a resource. */
function argsOf({ isNamedByAccount }: AnyKind, id: string): readonly string[] {
  const end = id.indexOf(':');
  return isNamedByAccount === true ? [id.slice(0, end), id.slice(end + 1)] : [id];
}
