/** A line of indented JSON. */
export interface Line {
  readonly text: string;
  /**
   * The member that the line begins: `from.amount`; empty for the whole. Undefined for a closing
   * bracket.
   */
  readonly path: string | undefined;
}

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Deeper text is shown as it is. */
const MAX_DEPTH = 50;

interface Level {
  readonly isList: boolean;
  readonly path: string | undefined;
  index: number;
}

/**
 * Breaks JSON text into indented lines. No value changes: `1.00` stays `1.00`, and members that
 * stand there twice stay two. Undefined if the text is not JSON.
 */
export function linesOf(text: string): Line[] | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const tokens = text.match(TOKENS) ?? [];
  const lines: Line[] = [];
  const levels: Level[] = [];
  let line = '';
  let path: string | undefined = '';
  const end = (): void => {
    lines.push({ text: line, path });
    line = '';
    path = undefined;
  };
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] ?? '';
    const level = levels.at(-1);
    const begins = line === '';
    if (token === '}' || token === ']') {
      levels.pop();
      if (!begins) end();
      line = indented(token, levels.length);
      continue;
    }
    if (token === ',') {
      line += token;
      end();
      continue;
    }
    if (begins && level !== undefined) {
      const isName = !level.isList;
      path = pathIn(level, isName ? nameIn(token) : String(level.index));
      level.index += 1;
      line = indented(token, levels.length);
      if (isName) {
        // The colon.
        index += 1;
        line += ': ';
        continue;
      }
    } else line += token;
    if (token !== '{' && token !== '[') continue;
    const next = tokens[index + 1];
    if (next === '}' || next === ']') {
      line += next;
      index += 1;
      continue;
    }
    levels.push({ isList: token === '[', path, index: 0 });
    if (levels.length > MAX_DEPTH) return undefined;
    end();
  }
  end();
  return lines;
}

const indented = (text: string, depth: number): string => '  '.repeat(depth) + text;

const nameIn = (token: string): string => String(JSON.parse(token));

const pathIn = ({ path = '' }: Level, name: string): string => (path === '' ? name : `${path}.${name}`);
