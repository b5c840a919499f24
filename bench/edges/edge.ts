import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { certificateFor } from '../../test/support/certificate.js';
import { freePort } from '../../test/support/free-port.js';
import type { Address } from './backend.js';
import { CONFIGURATIONS, type Configuration, type Ports } from './configurations.js';
import { ENVIRONMENT, type Software } from './install.js';

/** Time in ms that an edge may take until it listens. */
const START_MS = 60_000;

/** nginx, HAProxy or Caddy, running before a service. */
export class Edge {
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #ports: Ports;
  readonly #ca: string;

  private constructor(process: ChildProcess, folder: string, ports: Ports, ca: string) {
    this.#process = process;
    this.#folder = folder;
    this.#ports = ports;
    this.#ca = ca;
  }

  static async start(
    software: Software,
    servicePort: number,
    { listens, text, args }: Configuration = CONFIGURATIONS[software],
  ): Promise<Edge> {
    const folder = mkdtempSync(join(tmpdir(), `${software}-`));
    // The workers of an edge that was started by root are no root.
    chmodSync(folder, 0o755);
    const { key, cert } = certificateFor('localhost');
    const write = (name: string, content: string) => {
      const file = join(folder, name);
      writeFileSync(file, content);
      return file;
    };
    const certificate = {
      cert: write('cert.pem', cert),
      key: write('key.pem', key),
      both: write('both.pem', cert + key),
    };
    const [http, tls, http2] = [await freePort(), await freePort(), await freePort()];
    const ports = { http, tls, http2, briefHttp: await freePort(), briefHttp2: await freePort() };
    const file = write(`${software}.conf`, `${text({ folder, servicePort, ports, certificate })}\n`);
    const child = spawn(software, args(file, folder), { env: ENVIRONMENT, stdio: ['ignore', 'ignore', 'pipe'] });
    // However the bench ends, no edge is left behind.
    process.once('exit', () => child.kill());
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    const edge = new Edge(child, folder, ports, cert);
    try {
      for (const listen of listens) await listening(ports[listen], child);
    } catch {
      await edge.stop();
      throw new Error(`${software} did not start:\n${said}`);
    }
    return edge;
  }

  /** Where it is reached by one of what it listens on. */
  address(listen: keyof Ports): Address {
    const port = this.#ports[listen];
    const isTls = listen === 'tls' || listen === 'http2' || listen === 'briefHttp2';
    return isTls ? { url: `https://localhost:${port}`, ca: this.#ca } : { url: `http://127.0.0.1:${port}` };
  }

  /** Reads the configuration anew: nginx starts new workers, and the old ones end what they have begun with. */
  reload(): void {
    this.#process.kill('SIGHUP');
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const exit = once(this.#process, 'exit');
      this.#process.kill();
      await exit;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Resolves when the port takes connections; rejects when the process ends first, or takes too long. */
async function listening(port: number, child: ChildProcess): Promise<void> {
  for (let waited = 0; waited < START_MS && child.exitCode === null; waited += 20) {
    if (await takesConnections(port)) return;
    await sleep(20);
  }
  throw new Error(`nothing listens on port ${port}`);
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const settle = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}
