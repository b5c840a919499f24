// The acceptance program in Bun, and a webhook that Bun's own server receives.
import { webhookHandler } from 'partner-sdk/webhooks';
import { accept } from './acceptance.mjs';
import { deliverTo } from './deliver.mjs';

const settings = JSON.parse(Bun.env.ACCEPTANCE);
await accept({ options: {}, ...settings });

const { secret } = settings.delivery;
const handled = [];
const on = { 'quote.executed': ({ id }) => handled.push(id) };
const server = Bun.serve({ port: 0, fetch: webhookHandler({ secret, on }) });
await deliverTo(server.url, settings.delivery, handled);
await server.stop();
console.log(`closed at ${Date.now()}`);
