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

/** A bracket, and the one that closes it. */
const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/**
 * Breaks JSON text into indented lines. No value changes: `1.00` stays `1.00`, and members that
 * stand there twice stay two. Undefined if the text is not JSON.
 */
export function linesOf(text: string): Line[] | undefined {
  const lines: Line[] = [];
  const rest = (text.match(TOKENS) ?? []).reverse();
  const end = (line: string, path?: string): void => {
    lines.push({ text: rest.at(-1) === ',' ? line + rest.pop() : line, path });
  };
  // Writes the next value, behind the name that it may have.
  const write = (before: string, path: string, depth: number): void => {
    const indent = '  '.repeat(depth);
    const first = rest.pop() ?? '';
    const closing = CLOSING[first];
    if (closing === undefined || rest.at(-1) === closing) {
      end(indent + before + first + (closing === undefined ? '' : rest.pop()), path);
      return;
    }
    if (depth === MAX_DEPTH) throw new RangeError('too deep');
    lines.push({ text: indent + before + first, path });
    for (let index = 0; rest.at(-1) !== closing; index += 1) {
      const [member, colon] = first === '{' ? [rest.pop() ?? '', rest.pop()] : ['', ''];
      const name = member === '' ? index : JSON.parse(member);
      write(member && `${member}${colon} `, path === '' ? `${name}` : `${path}.${name}`, depth + 1);
    }
    end(indent + rest.pop());
  };
  try {
    JSON.parse(text);
    write('', '', 0);
    return lines;
  } catch {
    return undefined;
  }
}
