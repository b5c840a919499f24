import type { Sandbox } from '../../../../src/sandbox/index.js';

/** The events of some kinds that a sandbox sends from now on, in the order in which they happened. */
export class Events {
  readonly #sandbox: Sandbox;
  readonly #webhookId: string;

  constructor(sandbox: Sandbox, ...events: readonly string[]) {
    this.#sandbox = sandbox;
    this.#webhookId = sandbox.webhooks.register({ url: 'http://127.0.0.1:9/nowhere', events }).id;
  }

  async seen(): Promise<{ readonly type: string; readonly data: Readonly<Record<string, unknown>> }[]> {
    await this.#sandbox.webhooks.idle();
    return this.#sandbox.webhooks
      .listDeliveries()
      .filter(({ webhookId }) => webhookId === this.#webhookId)
      .map(({ body }) => JSON.parse(body));
  }
}
