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

declare module 'ccxt' {
  class kraken {
    constructor(options: { apiKey: string; secret: string; enableRateLimit: false });
    readonly urls: { readonly api: { private: string; public: string } };
    request(path: string, api: 'private', method: 'POST', params: object): Promise<unknown>;
  }
  const ccxt: { kraken: typeof kraken };
  export default ccxt;
}

declare module '@aws-sdk/client-dynamodb' {
  class Command<Output> {
    readonly output: Output;
    constructor(input: object);
  }
  export class QueryCommand extends Command<{ Items?: object[] }> {}
  export class GetItemCommand extends Command<{ Item?: object }> {}
  export class PutItemCommand extends Command<{ Attributes?: { id?: { S?: string } } }> {}
  export class DynamoDBClient {
    constructor(options: {
      endpoint: string;
      region: string;
      credentials: { accessKeyId: string; secretAccessKey: string };
    });
    send<Output>(command: Command<Output>): Promise<Output>;
  }
}

declare module '@polar-sh/sdk' {
  export class Polar {
    constructor(options: { accessToken: string; serverURL: string });
    readonly webhooks: {
      getWebhookEndpoint(query: { id: string }): Promise<{ url: string }>;
      listWebhookEndpoints(query: { limit: number }): Promise<{ result: { items: { url: string }[] } }>;
      createWebhookEndpoint(body: { url: string; format: string; events: string[] }): Promise<{ url: string }>;
    };
  }
}
