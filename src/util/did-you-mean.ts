/** Returns the known name that was probably meant; undefined if none is near. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const candidates = [...known];
  const words = wordsOf(name);
  return misspeltName(name, candidates) ?? partOf(words, candidates) ?? wholeOf(words.join(''), candidates);
}

/** Returns the known name that differs from `name` by few letters; undefined if none does. */
export function misspeltName(name: string, candidates: readonly string[]): string | undefined {
  const joined = wordsOf(name).join('');
  let nearest: string | undefined;
  // One letter in four may be wrong, and at least one.
  let least = Math.max(1, Math.floor(joined.length / 4)) + 1;
  for (const candidate of candidates) {
    const distance = distanceBetween(joined, wordsOf(candidate).join(''));
    if (distance >= least) continue;
    least = distance;
    nearest = candidate;
  }
  return nearest;
}

/** True if the words of two names, such as kinds of events, differ by few letters each. */
export function isMisspelling(name: string, known: string): boolean {
  const [words, others] = [wordsOf(name), wordsOf(known)];
  if (words.length !== others.length) return words.join('') === others.join('');
  return words.every((word, index) => misspeltName(word, others.slice(index, index + 1)) !== undefined);
}

/** Finds `type` for `assetType`. */
function partOf(words: readonly string[], candidates: readonly string[]): string | undefined {
  const last = words.at(-1);
  return words.length < 2 ? undefined : candidates.find((candidate) => candidate.toLowerCase() === last);
}

/** Finds `maxRetries` for `retries`, if that is the end of no other name. */
function wholeOf(joined: string, candidates: readonly string[]): string | undefined {
  const [whole, ...others] = candidates.filter((candidate) => wordsOf(candidate).at(-1) === joined);
  return others.length === 0 ? whole : undefined;
}

/** `pageSize`, `page_size` and `Page-Size` are the same two words. */
function wordsOf(name: string): string[] {
  const separated = name.slice(0, LONGEST_NAME).replace(/([a-z0-9])([A-Z])/g, '$1_$2');
  return separated.toLowerCase().split(/[^a-z0-9]+/);
}

/** Characters of a name that are compared: the time rises with the square of the length. */
const LONGEST_NAME = 64;

/** Counts the letters to insert, leave out, replace or swap (optimal string alignment). */
function distanceBetween(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let line = 1; line <= one.length; line++) {
    const next = [line];
    for (let column = 1; column <= other.length; column++) {
      const same = one[line - 1] === other[column - 1];
      const swapped =
        line > 1 && column > 1 && one[line - 1] === other[column - 2] && one[line - 2] === other[column - 1];
      const at = (from: readonly number[], place: number) => from[place] ?? 0;
      next[column] = Math.min(
        at(next, column - 1) + 1,
        at(row, column) + 1,
        at(row, column - 1) + (same ? 0 : 1),
        swapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = row;
    row = next;
  }
  return row[other.length] ?? 0;
}
