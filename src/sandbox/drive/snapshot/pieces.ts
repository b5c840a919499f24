/**
 * Number of levels that are split: accounts contain lists of records by kind, other members are
 * lists.
 */
const LEVELS = { accounts: 4, others: 2 } as const;

/** Generates the JSON text of a snapshot in pieces of one record each. */
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

/** Splits `levels` levels of lists and objects. A deeper value is one piece. */
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
