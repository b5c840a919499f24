import express from 'express';
import { NotFoundError, PartnerClient } from 'partner-sdk';
import { nodeWebhookHandler } from 'partner-sdk/webhooks';

const { PORT = '3000', PARTNER_WEBHOOK_SECRET: secret = '' } = process.env;
const client = new PartnerClient({ logger: { warn: console.warn, error: console.error } });
const app = express();

app.get('/users/:id', async (request, response) => {
  try {
    const { id, created_at: since } = await client.users.get(request.params.id);
    response.json({ id, since });
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error; // Express 5 answers 500
    response.status(404).json({ error: 'no such user' });
  }
});

// Before express.json(): the signature covers the raw body, which the handler reads itself.
app.post(
  '/webhooks/partner',
  nodeWebhookHandler({
    secret,
    // The same event may come again after a crash, so store `event.id` with the effect.
    on: { 'quote.executed': ({ data }) => console.log('settled', data.id) },
  }),
);

app.use(express.json());

const server = app.listen(Number(PORT));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // First the last requests are answered, then the client closes its connections.
  process.once(signal, () => server.close(() => void client.close()));
}
