// The acceptance program in Deno, and a webhook that Deno's own server receives.
import { webhookHandler } from 'partner-sdk/webhooks';
import { accept } from './acceptance.mjs';
import { deliverTo } from './deliver.mjs';

const settings = JSON.parse(Deno.env.get('ACCEPTANCE'));
await accept({ options: {}, ...settings });

const { secret } = settings.delivery;
const handled = [];
const on = { 'quote.executed': ({ id }) => handled.push(id) };
const server = Deno.serve({ port: 0, hostname: '127.0.0.1', onListen() {} }, webhookHandler({ secret, on }));
await deliverTo(`http://127.0.0.1:${server.addr.port}`, settings.delivery, handled);
await server.shutdown();
console.log(`closed at ${Date.now()}`);
