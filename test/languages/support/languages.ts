import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.js';

/** The examples of one language, as they are started. */
export interface Language {
  readonly name: string;
  /** Done once, before: compiling takes Go and Java seconds. Returns nothing; writes into `folder`. */
  readonly build?: (folder: string) => readonly (readonly string[])[];
  readonly client: (folder: string) => readonly string[];
  readonly receiver: (folder: string, port: number) => readonly string[];
}

export const exampleOf = (path: string): string => join(process.cwd(), 'examples/languages', path);

export const LANGUAGES: readonly Language[] = [
  {
    name: 'Python',
    client: () => ['python3', exampleOf('python/client.py')],
    receiver: () => ['python3', exampleOf('python/receiver.py')],
  },
  {
    name: 'Go',
    build: (folder) =>
      ['client', 'receiver'].map((name) => ['go', 'build', '-o', join(folder, name), exampleOf(`go/${name}.go`)]),
    client: (folder) => [join(folder, 'client')],
    receiver: (folder) => [join(folder, 'receiver')],
  },
  {
    name: 'Ruby',
    client: () => ['ruby', '-W', exampleOf('ruby/client.rb')],
    receiver: () => ['ruby', '-W', exampleOf('ruby/receiver.rb')],
  },
  {
    name: 'PHP',
    client: () => ['php', exampleOf('php/client.php')],
    receiver: (_, port) => ['php', '-S', `127.0.0.1:${port}`, exampleOf('php/receiver.php')],
  },
  {
    name: 'Java',
    build: (folder) => [
      ['javac', '-Xlint:all', '-d', folder, exampleOf('java/Client.java'), exampleOf('java/Receiver.java')],
    ],
    client: (folder) => ['java', '-cp', folder, 'Client'],
    receiver: (folder) => ['java', '-cp', folder, 'Receiver'],
  },
  {
    name: 'bash',
    client: () => ['bash', exampleOf('bash/client.sh')],
    receiver: (_, port) => [
      'socat',
      `TCP-LISTEN:${port},bind=127.0.0.1,fork,reuseaddr`,
      `EXEC:${exampleOf('bash/receiver.sh')}`,
    ],
  },
];

/** A folder for what a language builds and notes, and its programs. */
export class Programs {
  readonly folder = mkdtempSync(join(tmpdir(), 'partner-languages-'));
  readonly #language: Language;
  readonly #running = new Set<ChildProcess>();

  constructor(language: Language) {
    this.#language = language;
    for (const [command = '', ...args] of language.build?.(this.folder) ?? []) {
      execFileSync(command, args, { stdio: 'pipe', env: { GOCACHE: join(this.folder, 'cache'), ...process.env } });
    }
  }

  /** Runs the client to its end, and gives its lines. */
  async runClient(env: NodeJS.ProcessEnv): Promise<{ lines: string[]; code: number | null; errors: string }> {
    const client = this.#start(this.#language.client(this.folder), env);
    const code = await new Promise<number | null>((resolve) => client.child.once('close', resolve));
    return { lines: client.out().split('\n').filter(Boolean), code, errors: client.errors() };
  }

  /** Starts the receiver. `events` are the kinds that it has printed, and `ids` what it knows their deliveries by. */
  async startReceiver(secret: string): Promise<{ url: string; events: () => string[]; ids: () => string[] }> {
    const port = await freePort();
    const env = { PARTNER_WEBHOOK_SECRET: secret, PORT: String(port), PARTNER_EVENTS: this.folder };
    const receiver = this.#start(this.#language.receiver(this.folder, port), env);
    const url = `http://127.0.0.1:${port}/webhooks`;
    await answers(url, receiver.errors);
    const printed = () => Array.from(`${receiver.out()}${receiver.errors()}`.matchAll(/^event (\S+) (.+)$/gm));
    return {
      url,
      events: () => printed().map(([, kind = '']) => kind),
      ids: () => printed().map(([, , id = '']) => id),
    };
  }

  #start([command = '', ...args]: readonly string[], env: NodeJS.ProcessEnv) {
    const child = spawn(command, args, { env: { ...process.env, TMPDIR: this.folder, ...env } });
    let [out, errors] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      errors += text;
    });
    this.#running.add(child);
    child.once('close', () => this.#running.delete(child));
    return { child, out: () => out, errors: () => errors };
  }

  async close(): Promise<void> {
    const ended = Array.from(this.#running, (child) => {
      child.kill('SIGKILL');
      return new Promise((resolve) => child.once('close', resolve));
    });
    await Promise.all(ended);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A receiver is compiled first, perhaps on a busy machine: this only ends what hangs. */
const START_MS = 90_000;

/** Resolves as soon as the receiver answers: an unsigned request with 400. */
async function answers(url: string, errors: () => string): Promise<void> {
  for (const end = performance.now() + START_MS; performance.now() < end; ) {
    const status = await fetch(url, { method: 'POST', body: '{}' }).then(
      (response) => response.status,
      () => undefined,
    );
    if (status === 400) return;
    if (status !== undefined) throw new Error(`the receiver answered an unsigned request with ${status}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the receiver does not listen: ${errors()}`);
}
