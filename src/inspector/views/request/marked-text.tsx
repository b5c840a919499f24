import type { ComponentChildren } from 'preact';
import type { MarkedLine } from './marks.js';

/**
 * Text of which some lines break rules. Only these are elements: a body may have thousands of
 * lines.
 */
export function MarkedText({ label, lines }: { readonly label: string; readonly lines: readonly MarkedLine[] }) {
  const parts: ComponentChildren[] = [];
  let plain = '';
  for (const [index, { text, reasons }] of lines.entries()) {
    const isLast = index === lines.length - 1;
    if (reasons.length === 0) {
      plain += isLast ? text : `${text}\n`;
      continue;
    }
    const bare = text.trimStart();
    parts.push(
      plain + text.slice(0, text.length - bare.length),
      <mark key={index} class="broken">
        <span class="wrong">{bare}</span>
        <span class="reason">{`  ← broken rule: ${reasons.join('; ')}`}</span>
      </mark>,
      isLast ? '' : '\n',
    );
    plain = '';
  }
  return (
    <section aria-label={label}>
      <pre>
        {parts}
        {plain}
      </pre>
    </section>
  );
}
