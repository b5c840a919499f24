import { PartnerClient } from 'partner-sdk';

const held = globalThis as { partnerClient?: PartnerClient };

/**
 * Returns the client of this process. It is made at the first request: `next build` loads the
 * routes without the environment. `globalThis` keeps it when the development server reloads this
 * file.
 */
export function partner(): PartnerClient {
  held.partnerClient ??= new PartnerClient();
  return held.partnerClient;
}
