import { pretty } from '../../../parts/values/format.js';

interface MessageProps {
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Head and body of a message. */
export function Message({ title, headers, body }: MessageProps) {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <section>
      <h3>{title}</h3>
      <pre>{head.length === 0 ? '(no headers)' : head.join('\n')}</pre>
      <pre>{body === '' ? '(no body)' : pretty(body)}</pre>
    </section>
  );
}
