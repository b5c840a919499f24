// Receives deliveries and books each event. It dies at random moments: before, within and after the transaction.
import { createServer } from 'node:http';
import { nodeWebhookHandler } from 'partner-sdk/webhooks';
import { openStore } from './store.mjs';

const [kind, place, secret, share] = process.argv.slice(2);
const store = await openStore(kind, place);
const dies = () => {
  if (Math.random() < Number(share)) process.kill(process.pid, 'SIGKILL');
};

const receive = nodeWebhookHandler({
  secret,
  guard: { ...store.noGuard, handled: dies },
  onEvent: store.handlerOf((event, client) => store.booking(event, client, dies)),
  onError: () => {},
});
const server = createServer(receive);
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
