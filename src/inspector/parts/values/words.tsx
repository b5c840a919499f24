/** Writes `onDemandConversions` as `on-demand conversion`. */
function singular(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words
    .replace('on demand', 'on-demand')
    .replace('on chain', 'on-chain')
    .replace(/ies$/, 'y')
    .replace(/([^s])s$/, '$1');
}

/** A number and its noun: `1 attempt`, `2 attempts`, `3 deliveries`. */
export const counted = (count: number, noun: string): string =>
  `${count} ${count === 1 ? noun : `${noun.replace(/y$/, 'ie')}s`}`;

/** Writes a kind of resources as one of them: `Withdrawal`. */
export function titled(kind: string, isFirst = true): string {
  const word = singular(kind);
  return isFirst ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}

/** Writes an operation as a person would say it: `Create withdrawal`, `List users`. */
export function operationTitle(operation: string): string {
  const parts = operation.split('.');
  const act = parts.pop() ?? '';
  const noun = parts.at(-1) ?? '';
  const verb = act.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const object = act === 'list' ? singular(noun).replace(/y$/, 'ie').concat('s') : singular(noun);
  return `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${object}`;
}

/** Text of a document, in which code stands between backticks. */
export function Coded({ text }: { readonly text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}

/** Writes the first letter large. */
export const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
