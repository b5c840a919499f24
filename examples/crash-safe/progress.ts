// Which rows are done, in a file: it saves the next run from repeating them. Nothing depends on it: a lost file costs repeats alone.
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
   * Reads the file of an earlier run. A file that is missing, broken or of another target says nothing: what is done in the sandbox
   * is not done in production.
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

  /** Call it when the service has said yes, never before. */
  add(id: string): void {
    this.#done.add(id);
    if (this.#waiting) return;
    this.#waiting = true;
    this.#saved = this.#saved.then(() => this.#save());
  }

  /** Resolves when all is in the file, or cannot be. */
  saved(): Promise<void> {
    return this.#saved;
  }

  /** First beside the file, then in its place: whenever the process dies, there is a whole file, the old one or the new one. */
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
      console.warn(`progress is not kept: ${error}`);
    }
  }
}
