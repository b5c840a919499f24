export interface WrittenFlag {
  /** Without hyphens. A one-letter flag has its long name here, if there is one. */
  readonly name: string;
  /** With hyphens, as it was written: `--port`, `-p`. */
  readonly written: string;
  /** Undefined if it has none. */
  readonly value: string | undefined;
}

export interface CommandWords {
  /** Words that are not flags, in their order. */
  readonly plain: readonly string[];
  /** In their order; a flag that is repeated appears several times. */
  readonly flags: readonly WrittenFlag[];
}

/**
 * Returns the first word that has a U+FFFD: Node puts it instead of bytes that are not UTF-8, or of
 * half an emoji, so the word is not the one that was typed.
 */
export function damagedWord(words: readonly string[]): string | undefined {
  return words.find((word) => word.includes('\ufffd'));
}

export interface WordRules {
  /** True for a flag that never takes the next word: `--json`. */
  readonly isSwitch: (name: string) => boolean;
  /** The long names of one-letter flags: `{ h: 'help' }`. */
  readonly letters?: Readonly<Record<string, string>>;
}

/**
 * Parses a command line: `--name value`, `--name=value`, `-n`. A flag takes the next word as its
 * value, unless it is a switch or the next word begins with two hyphens. Behind `--` no word is a
 * flag. It rejects nothing: each command knows its own flags.
 */
export function readWords(words: readonly string[], { isSwitch, letters = {} }: WordRules): CommandWords {
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const plain: string[] = [];
  const flags: WrittenFlag[] = [];
  for (let index = 0; index < end; index++) {
    const word = words[index] ?? '';
    const [, written, long, letter, inline] = /^(--([^=]*)|-([A-Za-z]))(?:=(.*))?$/s.exec(word) ?? [];
    if (written === undefined) {
      plain.push(word);
      continue;
    }
    const name = long ?? letters[letter ?? ''] ?? letter ?? '';
    const next = index + 1 < end ? words[index + 1] : undefined;
    const takesNext = inline === undefined && !isSwitch(name) && next !== undefined && !next.startsWith('--');
    if (takesNext) index++;
    flags.push({ name, written, value: takesNext ? next : inline });
  }
  return { plain: [...plain, ...words.slice(end + 1)], flags };
}
