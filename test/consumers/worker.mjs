// The acceptance program in a worker: address and credentials are its bindings.
import { accept } from './acceptance.mjs';

export default {
  async fetch(
    _request,
    { PARTNER_BASE_URL: baseUrl, PARTNER_API_KEY: apiKey, PARTNER_API_SECRET: apiSecret, ACCEPTANCE },
  ) {
    try {
      await accept({ options: { baseUrl, apiKey, apiSecret }, transport: 'fetch', ...JSON.parse(ACCEPTANCE) });
      return new Response('accepted');
    } catch (error) {
      return new Response(`${error.stack} ${error.cause ?? ''}`, { status: 500 });
    }
  },
};
