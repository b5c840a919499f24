import { type ChildProcess, fork } from 'node:child_process';
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client } from 'undici';

const CONNECTIONS = 16;

interface Credentials {
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** What a sandbox in another process says of itself. */
export interface Served {
  readonly url: string;
  readonly credentials: readonly Credentials[];
  readonly accountId: string;
  readonly quoteId: string;
}

/** A request that is sent again and again. A write has a body, and a new idempotency key each time. */
export interface BenchRequest {
  readonly path: (served: Served) => string;
  readonly body?: object;
}

/** A build of the sandbox with options, in a process of its own. */
export class Subject {
  readonly #child: ChildProcess;
  readonly #served: Served;
  #nonce = 1n;

  private constructor(child: ChildProcess, served: Served) {
    this.#child = child;
    this.#served = served;
  }

  /** @param file `dist/sandbox.cjs` of a build. */
  static async open(file: string, options: object): Promise<Subject> {
    const program = fileURLToPath(new URL('served.mjs', import.meta.url));
    const child = fork(program, [file, JSON.stringify(options), String(CONNECTIONS)]);
    const [served] = (await once(child, 'message')) as [Served];
    return new Subject(child, served);
  }

  /** Returns the microseconds of CPU that a request took. */
  async visit(request: BenchRequest, count: number): Promise<number> {
    const each = Math.ceil(count / CONNECTIONS);
    const before = await this.#cpu();
    await Promise.all(this.#served.credentials.map((keys) => this.#send(keys, request, each)));
    return ((await this.#cpu()) - before) / (each * CONNECTIONS);
  }

  /** Returns the microseconds of CPU that a new sandbox took. */
  async make(count: number): Promise<number> {
    const before = await this.#cpu();
    return ((await this.#cpu(count)) - before) / count;
  }

  async close(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill();
    await ended;
  }

  async #cpu(make = 0): Promise<number> {
    this.#child.send({ make });
    const [{ cpu }] = (await once(this.#child, 'message')) as [{ cpu: number }];
    return cpu;
  }

  /** One API key has one connection, so that its nonces arrive in order. */
  async #send(keys: Credentials, request: BenchRequest, count: number): Promise<void> {
    const client = new Client(this.#served.url);
    const path = request.path(this.#served);
    const body = request.body && JSON.stringify(request.body);
    const method = body === undefined ? 'GET' : 'POST';
    for (let sent = 0; sent < count; sent += 1) {
      const headers = this.#headers(keys, path, body);
      const answer = await client.request({ method, path, headers, body: body ?? null });
      if (answer.statusCode !== 200) {
        throw new Error(`${method} ${path} is answered ${answer.statusCode}: ${await answer.body.text()}`);
      }
      await answer.body.dump();
    }
    await client.close();
  }

  #headers({ apiKey, apiSecret }: Credentials, path: string, body: string | undefined): Record<string, string> {
    this.#nonce += 1n;
    const nonce = String(this.#nonce);
    const hash = createHash('sha256')
      .update(nonce)
      .update(body ?? '')
      .digest();
    const sign = createHmac('sha512', Buffer.from(apiSecret, 'base64')).update(path).update(hash).digest('base64');
    const signed = { 'API-Key': apiKey, 'API-Nonce': nonce, 'API-Sign': sign };
    if (body === undefined) return signed;
    return { ...signed, 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() };
  }
}
