import express, { type NextFunction, type Request, type Response } from 'express';
import { isApiError, isPartnerError, PartnerClient, type PartnerError, RequestValidationError } from 'partner-sdk';
import { nodeWebhookHandler } from 'partner-sdk/webhooks';

const { PORT = '3000', PARTNER_WEBHOOK_SECRET: secret = '' } = process.env;
const client = new PartnerClient({ logger: { warn: console.warn, error: console.error } });
const app = express();

/** Not any 404, which a proxy or a wrong base URL gets. The client rejects an id that nobody can have. */
const isNoUser = (error: unknown) => isApiError(error, 'user_not_found') || error instanceof RequestValidationError;

app.get('/users/:id', async (request, response) => {
  try {
    const { id, created_at: since } = await client.users.get(request.params.id);
    response.json({ id, since });
  } catch (error) {
    if (!isNoUser(error)) throw error; // Express 5 passes it to the error handler below
    response.status(404).json({ error: 'no such user' });
  }
});

// Before express.json(): the signature covers the raw body, which the handler reads itself.
app.post(
  '/webhooks/partner',
  nodeWebhookHandler({
    secret,
    // The service may deliver the event again after a crash, so store `event.deliveryId` with the
    // effect.
    on: { 'quote.executed': ({ data }) => console.log('settled', data.id) },
  }),
);

app.use(express.json());

/** A write whose outcome is unknown may have happened, so your user must not send it again. */
const toldOf = ({ outcome }: PartnerError) =>
  outcome === 'not_applied' ? 'the partner service failed' : 'the result is not known yet, so do not try again';

// After all routes. The client has logged the error. Don't show its message to your users.
app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
  if (response.headersSent || !isPartnerError(error)) return next(error);
  response.status(502).json({ error: toldOf(error) });
});

const server = app.listen(Number(PORT));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // The server first responds to the last requests, and then the client closes its connections.
  process.once(signal, () => server.close(() => void client.close()));
}
