// The rows that are done, in a file, so that the next run doesn't send them again. If the file is
// lost, the next run sends them again, which changes nothing.
import { open, readFile, rename } from 'node:fs/promises';

export class Progress {
  readonly #path: string;
  readonly #target: string;
  readonly #done: Set<string>;
  #saved: Promise<void> = Promise.resolve();
  #waiting = false;

  private constructor(path: string, target: string, done: readonly string[]) {
    this.#path = path;
    this.#target = target;
    this.#done = new Set(done);
  }

  /**
   * Reads the file of an earlier run. Ignores a file that is missing, broken or of another target,
   * because a row that is done in the sandbox isn't done in production.
   */
  static async load(path: string, target: string): Promise<Progress> {
    try {
      const file = JSON.parse(await readFile(path, 'utf8')) as { target: string; done: string[] };
      if (file.target === target) return new Progress(path, target, file.done);
    } catch {}
    return new Progress(path, target, []);
  }

  has(id: string): boolean {
    return this.#done.has(id);
  }

  /** Notes a row. Call it after the service has accepted the row, never before. */
  add(id: string): void {
    this.#done.add(id);
    if (this.#waiting) return;
    this.#waiting = true;
    this.#saved = this.#saved.then(() => this.#save());
  }

  /** Resolves when all rows are in the file, or writing has failed. */
  saved(): Promise<void> {
    return this.#saved;
  }

  /**
   * Writes another file and renames it, so that a process that dies at any moment leaves a complete
   * file.
   */
  async #save(): Promise<void> {
    this.#waiting = false;
    const text = JSON.stringify({ target: this.#target, done: [...this.#done] });
    try {
      const file = await open(`${this.#path}.new`, 'w');
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(`${this.#path}.new`, this.#path);
    } catch (error) {
      console.warn(`progress is not stored: ${error}`);
    }
  }
}
