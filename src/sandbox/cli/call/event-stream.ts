/** A server-sent event. */
export interface ServerEvent {
  readonly id: string | undefined;
  readonly name: string;
  readonly data: string;
}

/**
 * Yields the events of a stream as they arrive. Comments, which keep the connection open, are
 * skipped.
 */
export async function* eventsIn(pieces: AsyncIterable<string>): AsyncGenerator<ServerEvent, void, undefined> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    const blocks = text.split(/\r?\n\r?\n/);
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventOf(block);
      if (event !== undefined) yield event;
    }
  }
}

function eventOf(block: string): ServerEvent | undefined {
  const fields = block.split(/\r?\n/).map((line) => /^([^:]+)(?:: ?(.*))?$/s.exec(line));
  const valuesOf = (name: string): string[] => fields.flatMap((field) => (field?.[1] === name ? [field[2] ?? ''] : []));
  const data = valuesOf('data');
  if (data.length === 0) return undefined;
  return { id: valuesOf('id').at(-1), name: valuesOf('event').at(-1) ?? 'message', data: data.join('\n') };
}
