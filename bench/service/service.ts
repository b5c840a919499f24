import { join } from 'node:path';
import { MeasuredProcess } from '../processes.js';
import type { ServiceCounts } from './server.js';

/** The service, running. */
export class Service {
  readonly #process: MeasuredProcess;
  readonly origin: string;

  private constructor(process: MeasuredProcess, origin: string) {
    this.#process = process;
    this.origin = origin;
  }

  static async start(project: string): Promise<Service> {
    const { process, said } = await MeasuredProcess.start<string>('service', join(project, 'service/server.js'), []);
    return new Service(process, said);
  }

  counts(): Promise<ServiceCounts> {
    return this.#process.ask('counts');
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }
}
