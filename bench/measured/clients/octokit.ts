import { request } from '@octokit/request';
import type { CreateClient } from '../client.js';
import { envelopeClient } from '../envelope.js';
import { ACCOUNT, PAGE_SIZE, QUOTE, WRITE_BODY } from '../requests.js';

export const create: CreateClient = (origin) => {
  const call = request.defaults({ baseUrl: origin });
  const body = async (route: string, parameters: object) =>
    (await call(route, { account_id: ACCOUNT, ...parameters })).data;
  return envelopeClient({
    quote: () => body('GET /v1/accounts/{account_id}/quotes/{quote_id}', { quote_id: QUOTE }),
    page: () => body('GET /v1/accounts/{account_id}/on-demand-conversions', { page_size: PAGE_SIZE }),
    write: () => body('POST /v1/accounts/{account_id}/quotes', WRITE_BODY),
  });
};
