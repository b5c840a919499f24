import { watchReader } from './pipe-reader.js';

/** Lines to a reader who may go away, as `head` does. */
export class Output {
  /** Resolves with the reason when nothing can be written any more. */
  readonly broken: Promise<Error>;
  readonly #stream: NodeJS.WritableStream;
  /** What came before the first lines; undefined after them. */
  #early: string[] | undefined = [];
  #open = true;

  constructor(stream: NodeJS.WritableStream & { readonly fd?: number }) {
    this.#stream = stream;
    this.broken = new Promise((resolve) => {
      stream.on('error', (error) => {
        this.#open = false;
        resolve(error);
      });
      if (stream.fd !== undefined) {
        watchReader(stream.fd, () => {
          this.#open = false;
          resolve(Object.assign(new Error('nobody reads it'), { code: 'EPIPE' }));
        });
      }
    });
  }

  /** Writes the first lines, at once all of them, and what has waited for them. */
  begin(lines: string): void {
    const all = [lines, ...(this.#early ?? [])];
    this.#early = undefined;
    this.write(all.join('\n'));
  }

  write(lines: string): void {
    if (this.#early !== undefined) this.#early.push(lines);
    else if (this.#open) this.#stream.write(`${lines}\n`);
  }

  /** Settles when everything is with the reader, or when there is none. */
  flushed(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#open) this.#stream.write('', () => resolve());
      else resolve();
    });
  }
}
