import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { freePort } from './free-port.js';

/** A machine may be slow and busy: this only ends what hangs. */
const START_MS = 45_000;

export interface RedisServerOptions {
  /** Every write is on the disk before it is answered. Default: nothing ever is, but for `save()`. */
  readonly durable?: boolean;
  /** A cluster of this one server. */
  readonly cluster?: boolean;
}

/** A Redis of its own for a test: it can be killed, come back with or without its data, and stand still. */
export class RedisServer {
  readonly port: number;
  readonly #folder: string;
  readonly #options: RedisServerOptions;
  #process: ChildProcess | undefined;
  #guard: ChildProcess | undefined;

  private constructor(port: number, folder: string, options: RedisServerOptions) {
    this.port = port;
    this.#folder = folder;
    this.#options = options;
  }

  static async start(options: RedisServerOptions = {}): Promise<RedisServer> {
    const folder = await mkdtemp(join(tmpdir(), 'redis-'));
    const server = new RedisServer(await freePort(), folder, options);
    await server.#launch();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Runs one command, over a connection of its own. */
  async ask(...command: string[]): Promise<unknown> {
    const [name = '', ...args] = command;
    const client = new Redis(this.port, '127.0.0.1', {
      lazyConnect: true,
      enableReadyCheck: false,
      retryStrategy: null,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      return await client.call(name, ...args);
    } finally {
      client.disconnect();
    }
  }

  /** How many scripts have been run since it was started. */
  async scripts(): Promise<number> {
    const stats = String(await this.ask('INFO', 'commandstats'));
    return Number(/cmdstat_eval:calls=(\d+)/.exec(stats)?.[1] ?? 0);
  }

  /** Every record, field by field, under its name. */
  async records(): Promise<Map<string, Map<string, string>>> {
    const records = new Map<string, Map<string, string>>();
    for (const name of (await this.ask('KEYS', '*')) as string[]) {
      const flat = (await this.ask('HGETALL', name)) as string[];
      const fields = flat.flatMap((field, at) => (at % 2 === 0 ? [[field, flat[at + 1] ?? ''] as const] : []));
      records.set(name, new Map(fields));
    }
    return records;
  }

  /** Keeps what it has now on the disk. */
  async save(): Promise<void> {
    await this.ask('SAVE');
  }

  /** It dies at once. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined) return;
    this.#process = undefined;
    this.#guard?.kill('SIGKILL');
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  /** It comes back, on the same port, with what was on the disk, or with nothing. */
  async revive({ data }: { readonly data: boolean }): Promise<void> {
    if (!data) {
      await rm(this.#folder, { recursive: true });
      await mkdir(this.#folder);
    }
    await this.#launch();
  }

  /** It stands still: connections stay open, nothing is answered. */
  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #launch(): Promise<void> {
    const { durable = false, cluster = false } = this.#options;
    const appendOnly = durable ? ['--appendonly', 'yes', '--appendfsync', 'always'] : ['--appendonly', 'no'];
    const clustered = cluster ? ['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1'] : [];
    const place = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.#folder];
    const child = spawn('redis-server', [...place, '--save', '', ...appendOnly, ...clustered], { stdio: 'ignore' });
    child.on('error', () => {});
    this.#process = child;
    if (child.pid !== undefined) this.#guard = endWithUs(child.pid);
    await this.#ready();
    if (cluster) {
      await this.ask('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
      while (!String(await this.ask('CLUSTER', 'INFO')).includes('cluster_state:ok')) await sleep(20);
    }
  }

  async #ready(): Promise<void> {
    for (const end = performance.now() + START_MS; performance.now() < end; ) {
      if (this.#process?.exitCode !== null) break;
      if ((await this.ask('PING').catch(() => '')) === 'PONG') return;
      await sleep(20);
    }
    throw new Error('redis-server does not start: is the package redis-server installed?');
  }
}

/** Ends the server when this process is gone, however it went: the pipe that `cat` reads from is closed then. */
function endWithUs(server: number): ChildProcess {
  const script = 'cat > /dev/null; kill -KILL "$0"';
  const guard = spawn('sh', ['-c', script, String(server)], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  guard.on('error', () => {});
  guard.unref();
  return guard;
}

export async function nodeRedis(server: Pick<RedisServer, 'url'>) {
  const client = createClient({ url: server.url, socket: { reconnectStrategy: 50 } });
  client.on('error', () => {});
  await client.connect();
  return client;
}

export function ioredis(server: Pick<RedisServer, 'port'>): Redis {
  const client = new Redis(server.port, '127.0.0.1', { retryStrategy: () => 50, maxRetriesPerRequest: null });
  client.on('error', () => {});
  return client;
}
