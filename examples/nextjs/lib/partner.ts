import { PartnerClient } from 'partner-sdk';

const held = globalThis as { partnerClient?: PartnerClient };

/**
 * Returns the client of this process. The client is created at the first request, because `next
 * build` loads the routes without the environment. `globalThis` keeps the client when the
 * development server reloads this file.
 */
export function partner(): PartnerClient {
  held.partnerClient ??= new PartnerClient();
  return held.partnerClient;
}
