/**
 * True in workers of Cloudflare and edge functions of Vercel. They end the timers of a request with
 * the request, so requests cannot share one. `nodejs_compat` does not change that.
 */
export const isWorker: boolean = 'WebSocketPair' in globalThis || 'EdgeRuntime' in globalThis;
