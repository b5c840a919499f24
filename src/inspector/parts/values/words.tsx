/** Writes `setStatus` as `set status`. */
const spaced = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Writes `onDemandConversions` as `on-demand conversion`. */
const singular = (name: string): string =>
  spaced(name)
    .replace(/^on (demand|chain)/, 'on-$1')
    .replace(/ies$/, 'y')
    .replace(/([^s])s$/, '$1');

/** A number and its noun: `1 attempt`, `2 attempts`, `3 deliveries`. */
export const counted = (count: number, noun: string): string =>
  `${count} ${count === 1 ? noun : `${noun.replace(/y$/, 'ie')}s`}`;

/** Writes the first letter large. */
export const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Writes a kind of resources as one of them: `Withdrawal`. */
export const titled = (kind: string, isFirst = true): string =>
  isFirst ? capitalised(singular(kind)) : singular(kind);

/** Writes an operation as a person would say it: `Create withdrawal`, `List users`. */
export function operationTitle(operation: string): string {
  const [act = '', noun = ''] = operation.split('.').reverse();
  const object = act === 'list' ? `${singular(noun).replace(/y$/, 'ie')}s` : singular(noun);
  return `${capitalised(spaced(act))} ${object}`;
}

/** Text of a document, in which code stands between backticks. */
export function Coded({ text }: { readonly text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}
