import { once } from 'node:events';
import type { Http2EdgeOptions } from '../../test/support/edges/http2-edge.js';
import type { LinkOptions } from '../../test/support/link.js';
import type { Address } from '../lanes/backend.js';
import { reply, start } from '../lanes/child.js';

/** What stands before the port. */
export type FrontSetup = { readonly port: number } & (
  | { readonly http2: Http2EdgeOptions; readonly link?: undefined }
  | { readonly link: LinkOptions; readonly http2?: undefined }
);

/** An edge or link of ours in a process of its own. */
export interface Front {
  readonly address: Address;
  stop(): Promise<void>;
}

export async function startFront(setup: FrontSetup): Promise<Front> {
  const child = start(new URL('front-process.ts', import.meta.url).href, setup);
  const address = await reply<Address>(child);
  return {
    address,
    async stop() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
