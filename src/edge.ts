/**
 * The entry for runtimes that are not Node: workers of Cloudflare, edge functions of Vercel. It has
 * no undici, and nothing of Node.
 */
export * from './exports.js';
