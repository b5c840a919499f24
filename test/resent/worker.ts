// Runs in Cloudflare's runtime, with the installed package.
import { judgeRuntime } from './judge.js';

export default {
  async fetch(_request: Request, { LEDGER }: { readonly LEDGER: string }): Promise<Response> {
    try {
      return new Response(await judgeRuntime(LEDGER));
    } catch (error) {
      return new Response(String(error), { status: 500 });
    }
  },
};
