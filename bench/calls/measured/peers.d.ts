/** As much of each peer as the bench calls: they are installed for a measurement only, never where this file is compiled. */

declare module 'stripe' {
  export default class Stripe {
    constructor(key: string, options: { host: string; port: number; protocol: 'http' });
    rawRequest(method: 'GET' | 'POST', path: string, params?: object): Promise<unknown>;
  }
}

/** What every method of its goes through. */
declare module 'openai' {
  export default class OpenAI {
    constructor(options: { apiKey: string; baseURL: string });
    get(path: string, options?: { query: object }): PromiseLike<unknown>;
    post(path: string, options: { body: unknown }): PromiseLike<unknown>;
  }
}

declare module 'axios' {
  interface Axios {
    get(path: string): Promise<{ data: unknown }>;
    post(path: string, body: unknown): Promise<{ data: unknown }>;
  }
  const axios: { create(options: { baseURL: string; httpAgent: unknown; timeout: number }): Axios };
  export default axios;
}
