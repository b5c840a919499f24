import { createSandbox, type SandboxOptions } from '../../../src/sandbox/index.js';
import { Partner, type TestRequest } from './partner.js';

/** A partner whose requests go to the sandbox without a socket: for tests that send very many. */
export class DirectPartner extends Partner {
  override async send(request: TestRequest, signal?: AbortSignal): Promise<Response> {
    const { method, path, bytes, headers } = this.signed(request);
    const init = { method, headers, ...(bytes ? { body: bytes } : {}), ...(signal ? { signal } : {}) };
    return (await this.sandbox.fetch(new Request(this.url + path, init))) as Response;
  }
}

/** A sandbox that does not listen, and a partner of it. The test closes the sandbox when its clock runs. */
export function directSandbox(options: SandboxOptions = {}): DirectPartner {
  return new DirectPartner(createSandbox(options), 'http://sandbox.example');
}
