import { PartnerClient } from '../../../src/index.js';
import { RawService } from '../../support/raw-service.js';
import type { ClientOptions } from '../../support/scene.js';

export interface RawScene {
  readonly service: RawService;
  readonly client: PartnerClient;
}

let keys = 0;

/** A service on bare sockets and a client of it with an API key of its own, closed afterwards. */
export async function rawScene(options: ClientOptions, run: (scene: RawScene) => Promise<void>): Promise<void> {
  const service = await RawService.start();
  keys += 1;
  const client = new PartnerClient({ baseUrl: service.url, apiKey: `raw-${keys}`, apiSecret: 'c2VjcmV0', ...options });
  try {
    await run({ service, client });
  } finally {
    await service.close();
    await client.close();
  }
}
