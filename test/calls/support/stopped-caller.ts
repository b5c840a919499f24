/**
 * A process that makes one write without an idempotency key, and prints its status or its outcome. The test stops the
 * process while the service responds. Arguments: address, API key, secret, limit in ms, certificate of the service.
 */
import { isPartnerError, PartnerClient, undiciTransport } from '../../../src/index.js';

const [baseUrl = '', apiKey = '', apiSecret = '', limit = '', ca = ''] = process.argv.slice(2);
const transport = undiciTransport(ca === '' ? {} : { tls: { ca } });
const client = new PartnerClient({ baseUrl, apiKey, apiSecret, transport });
await client.users.get('USER-0000-0000-0001');
const attemptTimeout = Number(limit);
const end = await client
  .request({ method: 'POST', path: '/v1/things', body: { text: 'thing' }, attemptTimeout })
  .withResponse()
  .then(
    ({ response }) => `${response.status}`,
    (error: unknown) => (isPartnerError(error) ? error.outcome : String(error)),
  );
await client.close();
process.stdout.write(end);
