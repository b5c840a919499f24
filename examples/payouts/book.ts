// What the job knows about each payout, in a file to which it only adds lines. Keep this file as
// long as the file of payouts.
import { type FileHandle, open, readFile, rename, writeFile } from 'node:fs/promises';

/** One line of the file of payouts. */
export interface Payout {
  /** Id from your own books. It identifies this payout, and never another one. */
  readonly id: string;
  readonly asset_symbol: string;
  /** Decimal string. */
  readonly amount: string;
  readonly method_id: string;
  readonly address: string;
}

/** What the job knows about a payout. */
export interface Entry {
  /** The payout as the job sent it. */
  readonly payout?: Payout;
  /**
   * Time before the first request, in ms since the epoch. Null if the service certainly rejected
   * it.
   */
  readonly begun?: number | null;
  /** Id of its withdrawal in the ledger. */
  readonly ref_id?: string;
  /**
   * What the account pays with the fee, as the response to the withdrawal says. It can't be read
   * later, because the ledger shows amounts without fees.
   */
  readonly total?: string;
  readonly end?: 'paid' | 'failed';
}

export class Book {
  readonly #file: FileHandle;
  readonly #entries = new Map<string, Entry>();

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /**
   * Reads what earlier runs have noted. If a process was killed while it wrote a line, the
   * incomplete line is cut off.
   *
   * @throws Error for the book of another service or account, because what is paid there isn't paid here. A book in which
   * nothing was sent may be continued.
   */
  static async open(path: string, target: string): Promise<Book> {
    const file = await open(path, 'a+');
    const text = await readFile(path, 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole !== text) await file.truncate(Buffer.byteLength(whole));
    const book = new Book(file);
    let noted: string | undefined;
    for (const line of whole.split('\n').filter((one) => one !== '')) {
      const { id, target: next, ...more } = JSON.parse(line) as Entry & { id: string; target?: string };
      if (next === undefined) {
        book.#entries.set(id, { ...book.get(id), ...more });
      } else {
        noted = next;
        book.#entries.clear();
      }
    }
    if (noted === target) return book;
    // Somebody has corrected a wrong setting. Nothing can have been paid with it.
    const isUnused = [...book.#entries.values()].every((entry) => typeof entry.begun !== 'number' && !entry.ref_id);
    if (!isUnused) throw new Error(`${path} is the book of another service or account`);
    await book.#write({ target });
    book.#entries.clear();
    return book;
  }

  get(id: string): Entry {
    return this.#entries.get(id) ?? {};
  }

  /** Resolves when the note is on the disk. */
  async note(id: string, more: Entry): Promise<void> {
    await this.#write({ id, ...more });
    this.#entries.set(id, { ...this.get(id), ...more });
  }

  /**
   * Writes a JSON file with the total of each withdrawal by its `ref_id`, for
   * `examples/reconcile.ts`.
   */
  async writeTotals(path: string): Promise<void> {
    const known = [...this.#entries.values()].filter(
      ({ ref_id, total }) => ref_id !== undefined && total !== undefined,
    );
    const totals = Object.fromEntries(known.map(({ ref_id, total }) => [ref_id, total]));
    // Under another name first, so that a reader never finds half a file.
    await writeFile(`${path}.new`, `${JSON.stringify(totals, null, 2)}\n`);
    await rename(`${path}.new`, path);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #write(line: object): Promise<void> {
    await this.#file.appendFile(`${JSON.stringify(line)}\n`);
    await this.#file.datasync();
  }
}
