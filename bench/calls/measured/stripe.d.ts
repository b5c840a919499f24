/** As much of stripe as the bench calls: it is installed for a measurement only, never where this file is compiled. */

declare module 'stripe' {
  export default class Stripe {
    constructor(key: string, options: { host: string; port: number; protocol: 'http' });
    rawRequest(method: 'GET' | 'POST', path: string, params?: object): Promise<unknown>;
  }
}
