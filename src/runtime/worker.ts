/**
 * True in workers of Cloudflare, also with `nodejs_compat`, and in edge functions of Vercel: a
 * timer ends with the request that set it.
 */
export const isWorker: boolean = 'WebSocketPair' in globalThis || 'EdgeRuntime' in globalThis;
