/**
 * The package's own command reads a snapshot as text in pieces by this symbol. It is not part of
 * the public interface. The command is a bundle of its own, so the symbol is one that all bundles
 * share.
 */
export const SNAPSHOT_PIECES = Symbol.for('partner-sdk/sandbox/snapshot-pieces');

/** A sandbox that answers requests while it is saved. */
export interface InPieces {
  /** Returns the current state with `more` members as JSON text, made piece by piece. */
  [SNAPSHOT_PIECES](more: object): Iterable<string>;
}

/** Levels that are opened: accounts hold lists of records by kind, other members are lists. */
const LEVELS = { accounts: 4, others: 2 } as const;

/** The JSON text of a snapshot in pieces of one record each. */
export function* piecesOf(snapshot: object): Generator<string, void, undefined> {
  let before = '{';
  for (const [name, member] of Object.entries(snapshot)) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* pieces(member, name === 'accounts' ? LEVELS.accounts : LEVELS.others);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

/** `levels` of lists and objects are opened. A deeper value is one piece. */
function* pieces(value: unknown, levels: number): Generator<string, void, undefined> {
  if (levels === 0 || typeof value !== 'object' || value === null) yield JSON.stringify(value) ?? 'null';
  else if (Array.isArray(value)) yield* listPieces(value, levels - 1);
  else yield* objectPieces(value, levels - 1);
}

function* listPieces(list: readonly unknown[], levels: number): Generator<string, void, undefined> {
  yield '[';
  for (const [index, item] of list.entries()) {
    if (index > 0) yield ',';
    yield* pieces(item, levels);
  }
  yield ']';
}

function* objectPieces(value: object, levels: number): Generator<string, void, undefined> {
  yield '{';
  let before = '';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* pieces(member, levels);
    before = ',';
  }
  yield '}';
}
