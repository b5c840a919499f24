/**
 * A plugin that gives the application a client as `app.partner`, and closes it with the
 * application.
 */
import plugin from 'fastify-plugin';
import { type ClientOptions, PartnerClient, pinoLogger } from 'partner-sdk';

declare module 'fastify' {
  interface FastifyInstance {
    readonly partner: PartnerClient;
  }
}

/** Without options the client reads PARTNER_BASE_URL, PARTNER_API_KEY and PARTNER_API_SECRET. */
export const partner = plugin<ClientOptions>(
  async (app, options) => {
    const client = new PartnerClient({ logger: pinoLogger(app.log), ...options });
    app.decorate('partner', client);
    // Fastify runs the hook after it has responded to the last request.
    app.addHook('onClose', () => client.close());
  },
  { name: 'partner', fastify: '5.x' },
);
