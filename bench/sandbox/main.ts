/** CPU of the sandbox for a request, and for a sandbox: `npm run bench:sandbox -- dist/sandbox.cjs OTHER/dist/sandbox.cjs`. */
import { type ChildProcess, fork } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'undici';
import { median } from '../lanes/figures.js';

const CONNECTIONS = 16;
const REQUESTS = 40_000;
const ROUNDS = 5;
const SANDBOXES = 60;

interface Credentials {
  readonly apiKey: string;
  readonly apiSecret: string;
}

interface Served {
  readonly url: string;
  readonly credentials: readonly Credentials[];
  readonly accountId: string;
  readonly quoteId: string;
}

/** A build of the sandbox with options, in a process of its own. */
class Subject {
  readonly #child: ChildProcess;
  readonly #served: Served;
  #nonce = 1n;

  private constructor(
    readonly name: string,
    child: ChildProcess,
    served: Served,
  ) {
    this.#child = child;
    this.#served = served;
  }

  static async open(file: string, options: object): Promise<Subject> {
    const program = fileURLToPath(new URL('served.mjs', import.meta.url));
    const child = fork(program, [resolve(file), JSON.stringify(options), String(CONNECTIONS)]);
    const [served] = (await once(child, 'message')) as [Served];
    return new Subject(`${file} ${JSON.stringify(options)}`, child, served);
  }

  /** Returns the microseconds of CPU that a GET took. */
  async visit(path: (served: Served) => string, count: number): Promise<number> {
    const before = await this.#cpu();
    const each = Math.floor(count / CONNECTIONS);
    const target = path(this.#served);
    await Promise.all(this.#served.credentials.map((keys) => this.#send(keys, target, each)));
    return ((await this.#cpu()) - before) / (each * CONNECTIONS);
  }

  close(): void {
    this.#child.kill();
  }

  /** Returns the microseconds of CPU that a new sandbox took. */
  async make(count: number): Promise<number> {
    const before = await this.#cpu();
    return ((await this.#cpu(count)) - before) / count;
  }

  async #cpu(make = 0): Promise<number> {
    this.#child.send({ make });
    const [{ cpu }] = (await once(this.#child, 'message')) as [{ cpu: number }];
    return cpu;
  }

  /** One API key has one connection, so that its nonces arrive in order. */
  async #send({ apiKey, apiSecret }: Credentials, path: string, count: number): Promise<void> {
    const client = new Client(this.#served.url);
    const secret = Buffer.from(apiSecret, 'base64');
    for (let sent = 0; sent < count; sent += 1) {
      this.#nonce += 1n;
      const nonce = String(this.#nonce);
      const hash = createHash('sha256').update(nonce).digest();
      const sign = createHmac('sha512', secret).update(path).update(hash).digest('base64');
      const headers = { 'API-Key': apiKey, 'API-Nonce': nonce, 'API-Sign': sign };
      const { statusCode, body } = await client.request({ method: 'GET', path, headers });
      if (statusCode !== 200) throw new Error(`${this.name}: ${path} is answered ${statusCode}`);
      await body.dump();
    }
    await client.close();
  }
}

type Figure = readonly [name: string, take: (subject: Subject, share: number) => Promise<number>];

const get = (name: string, path: (served: Served) => string, requests: number): Figure => [
  `GET ${name}`,
  (subject, share) => subject.visit(path, requests * share),
];

const FIGURES: readonly Figure[] = [
  ['a new sandbox', (subject, share) => subject.make(SANDBOXES * share)],
  get('quote', ({ accountId, quoteId }) => `/v1/accounts/${accountId}/quotes/${quoteId}`, REQUESTS),
  get('assets', () => '/v1/assets', REQUESTS / 10),
];

const files = process.argv.slice(2);
const subjects = await Promise.all([
  ...files.map((file) => Subject.open(file, {})),
  ...files.slice(0, 1).map((file) => Subject.open(file, { inspect: true })),
]);
for (const [name, take] of FIGURES) {
  const costs = new Map(subjects.map((subject) => [subject, [] as number[]]));
  for (const subject of subjects) await take(subject, 0.5);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const subject of subjects) costs.get(subject)?.push(await take(subject, 1));
  }
  for (const [subject, found] of costs) {
    const all = found.map((cost) => cost.toFixed(1)).join(', ');
    console.log(`${name}  ${median(found).toFixed(1)} µs  (${all})  ${subject.name}`);
  }
}
for (const subject of subjects) subject.close();
