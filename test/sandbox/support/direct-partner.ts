import { createSandbox, type SandboxOptions } from '../../../src/sandbox/index.js';
import { Partner, type TestRequest } from './partner.js';

/** A partner whose requests go to the sandbox without a socket: for tests that send very many. */
export class DirectPartner extends Partner {
  override async send(request: TestRequest, signal?: AbortSignal): Promise<Response> {
    const { method, path, bytes, headers } = this.signed(request);
    const init = { method, headers, ...(bytes ? { body: bytes } : {}), ...(signal ? { signal } : {}) };
    return (await this.sandbox.fetch(new Request(this.url + path, init))) as Response;
  }

  /** The same partner at a sandbox that goes on from the present state of this one, through JSON. Its nonces go on, too. */
  restarted(options: SandboxOptions = {}): DirectPartner {
    const snapshot = JSON.parse(JSON.stringify(this.sandbox.snapshot()));
    return new DirectPartner(createSandbox({ ...options, snapshot }), this.url, this.credentials, this.nonces);
  }
}

/** A sandbox that does not listen, and a partner of it. The test closes the sandbox when its clock runs. */
export function directSandbox(options: SandboxOptions = {}): DirectPartner {
  return new DirectPartner(createSandbox(options), 'http://sandbox.example');
}
