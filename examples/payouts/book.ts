// What is known of each payout, in a file to which lines are only added. Keep it as long as the
// file of payouts.
import { type FileHandle, open, readFile } from 'node:fs/promises';

/** One line of the file of payouts. */
export interface Payout {
  /** Id from our own books. It stands for this payout, and never for another one. */
  readonly id: string;
  readonly asset_symbol: string;
  /** Decimal text. */
  readonly amount: string;
  readonly method_id: string;
  readonly address: string;
}

/** What is known of a payout. */
export interface Entry {
  /** As it was sent. */
  readonly payout?: Payout;
  /** Time before the first request, in ms since the epoch. Null if it was certainly refused. */
  readonly begun?: number | null;
  /** Id of its withdrawal in the ledger. */
  readonly ref_id?: string;
  readonly end?: 'paid' | 'failed';
}

export class Book {
  readonly #file: FileHandle;
  readonly #entries = new Map<string, Entry>();

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /**
   * Reads what earlier runs have noted. A process that was killed in the middle of a line leaves a
   * part of it, which is cut off.
   *
   * @throws Error for the book of another service or account: what is paid there is not paid here.
   */
  static async open(path: string, target: string): Promise<Book> {
    const file = await open(path, 'a+');
    const text = await readFile(path, 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole !== text) await file.truncate(Buffer.byteLength(whole));
    const [first, ...lines] = whole.split('\n').filter((line) => line !== '');
    const book = new Book(file);
    if (first === undefined) await book.#write({ target });
    else if (JSON.parse(first).target !== target) throw new Error(`${path} is the book of another service or account`);
    for (const line of lines) {
      const { id, ...more } = JSON.parse(line) as Entry & { id: string };
      book.#entries.set(id, { ...book.get(id), ...more });
    }
    return book;
  }

  get(id: string): Entry {
    return this.#entries.get(id) ?? {};
  }

  /** Resolves when it is on the disk. */
  async note(id: string, more: Entry): Promise<void> {
    await this.#write({ id, ...more });
    this.#entries.set(id, { ...this.get(id), ...more });
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #write(line: object): Promise<void> {
    await this.#file.appendFile(`${JSON.stringify(line)}\n`);
    await this.#file.datasync();
  }
}
