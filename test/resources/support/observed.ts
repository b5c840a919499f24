/** Hooks and a logger that keep what they are told. */
export function observed(names: readonly string[]) {
  const events: (readonly [hook: string, event: Record<string, unknown>])[] = [];
  const lines: (readonly [message: string, fields: object])[] = [];
  const line = (message: string, fields: object) => void lines.push([message, fields]);
  const hooks = Object.fromEntries(
    names.map((name) => [name, (event: object) => void events.push([name, { ...event }])]),
  );
  return { events, lines, options: { hooks, logger: { debug: line, info: line, warn: line, error: line } } };
}
