import { onTestFinished } from 'vitest';
import type { Partner } from './partner.js';

/** What an event tells: an entry has its `seq`, a gap has none. */
interface EventData {
  readonly seq?: number;
  readonly [member: string]: unknown;
}

/** One server-sent event, or a comment. */
export interface SentEvent {
  readonly event?: string;
  readonly id?: string;
  readonly data?: EventData;
  readonly comment?: string;
}

/** Reads the stream of events as a client of the platform would. */
export class EventReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = '';

  private constructor(
    readonly response: Response,
    readonly abort: AbortController,
  ) {
    this.#reader = (response.body as ReadableStream<Uint8Array>).getReader();
  }

  static async open({ url }: Partner, query = '', headers: Record<string, string> = {}): Promise<EventReader> {
    const abort = new AbortController();
    onTestFinished(() => abort.abort());
    return new EventReader(await fetch(`${url}/_sandbox/events${query}`, { headers, signal: abort.signal }), abort);
  }

  /** The next event that is no comment. Undefined at the end. */
  async next(): Promise<SentEvent | undefined> {
    for (;;) {
      const event = await this.nextBlock();
      if (event === undefined || event.comment === undefined) return event;
    }
  }

  async take(count: number): Promise<SentEvent[]> {
    const events: SentEvent[] = [];
    while (events.length < count) {
      const event = await this.next();
      if (event === undefined) return events;
      events.push(event);
    }
    return events;
  }

  /** The next block of the stream, also a comment. */
  async nextBlock(): Promise<SentEvent | undefined> {
    while (!this.#text.includes('\n\n')) {
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#text += this.#decoder.decode(value, { stream: true });
    }
    const end = this.#text.indexOf('\n\n');
    const block = this.#text.slice(0, end);
    this.#text = this.#text.slice(end + 2);
    if (block.startsWith(':')) return { comment: block.slice(1).trim() };
    const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s, 2)));
    return { event: fields['event'], id: fields['id'], data: JSON.parse(fields['data']) };
  }
}
