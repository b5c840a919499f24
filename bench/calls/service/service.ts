import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { certificateFor } from '../../../test/support/certificate.js';
import { MeasuredProcess } from '../../processes.js';
import type { ServiceCounts } from './server.js';

/** The service, running. */
export class Service {
  readonly #process: MeasuredProcess;
  readonly origin: string;
  /** Environment of the processes that call it. */
  readonly env: NodeJS.ProcessEnv;

  private constructor(process: MeasuredProcess, origin: string, env: NodeJS.ProcessEnv = {}) {
    this.#process = process;
    this.origin = origin;
    this.env = env;
  }

  static async start(project: string): Promise<Service> {
    const { process, said } = await MeasuredProcess.start<string>('service', join(project, 'service/server.js'), []);
    return new Service(process, said);
  }

  /** Starts it over TLS, with a certificate that its callers trust. */
  static async startOverTls(project: string): Promise<Service> {
    const certificate = certificateFor('127.0.0.1');
    const [both, trusted] = [join(project, 'certificate.json'), join(project, 'trusted.pem')];
    writeFileSync(both, JSON.stringify(certificate));
    writeFileSync(trusted, certificate.cert);
    const server = join(project, 'service/server.js');
    const { process, said } = await MeasuredProcess.start<string>('service', server, [both]);
    return new Service(process, said, { NODE_EXTRA_CA_CERTS: trusted });
  }

  counts(): Promise<ServiceCounts> {
    return this.#process.ask('counts');
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }
}
