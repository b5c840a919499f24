import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Copy } from './actions/copy.js';
import { linesOf } from './json-lines.js';

/** A line of a text, and the rules that it breaks. */
export interface MarkedLine {
  readonly text: string;
  readonly reasons: readonly string[];
}

interface CodeProps {
  /** Name of the text, for screen readers and its copy: `Body of the request`. */
  readonly label: string;
  readonly text: string;
  /** The lines as they are shown. Default: the text, indented if it is JSON. */
  readonly lines?: readonly MarkedLine[] | undefined;
}

/** Lines that are shown at first: a body may have thousands. */
const FOLDED_LINES = 60;

/** A longer text has no colours: each is an element. */
const COLOURED_LINES = 600;

/** A text in a fixed pitch: with colours if it is JSON, a copy, and folded if it is long. */
export function Code({ label, text, lines = plain(text) }: CodeProps) {
  const [isFolded, setFolded] = useState(true);
  const shown = isFolded ? lines.slice(0, FOLDED_LINES) : lines;
  const rest = lines.length - shown.length;
  return (
    <section class="code" aria-label={label}>
      <Copy label="copy" of={label} text={text} />
      <pre>
        {shown.flatMap(({ text: line, reasons }, index) => [
          reasons.length === 0 ? (
            inColours(line, shown.length)
          ) : (
            <mark key={index}>
              {line}
              <span class="tone-bad">{`  ← broken rule: ${reasons.join('; ')}`}</span>
            </mark>
          ),
          '\n',
        ])}
      </pre>
      {rest > 0 && (
        <button type="button" class="quiet" onClick={() => setFolded(false)}>
          Show {rest.toLocaleString('en')} more lines
        </button>
      )}
    </section>
  );
}

const plain = (text: string): MarkedLine[] =>
  (linesOf(text) ?? text.split('\n').map((line) => ({ text: line }))).map((line) => ({ text: line.text, reasons: [] }));

/** The name, if there is one, and the value of a line of JSON. */
const MEMBER = /^(\s*)("(?:[^"\\]|\\.)*": )?("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)(,?)$/;
const OPENED = /^(\s*)("(?:[^"\\]|\\.)*": )([{[].*)$/;

function inColours(line: string, count: number): ComponentChildren {
  if (count > COLOURED_LINES) return line;
  const [, indent, name = '', value = '', end = ''] = MEMBER.exec(line) ?? OPENED.exec(line) ?? [];
  if (indent === undefined) return line;
  const kind = value.startsWith('"') ? 'tone-good' : /^[\d-]/.test(value) ? 'tone-info' : '';
  return (
    <>
      {indent}
      {name !== '' && <span class="is-name">{name}</span>}
      {kind === '' ? value : <span class={kind}>{value}</span>}
      {end}
    </>
  );
}
