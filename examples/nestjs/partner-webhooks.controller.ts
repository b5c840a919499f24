import { Controller, Inject, Injectable, Logger, Post, Req, Res } from '@nestjs/common';
import {
  type NodeWebhookHandler,
  type NodeWebhookRequest,
  type NodeWebhookResponse,
  nodeWebhookHandler,
  type WebhookEventOf,
} from 'partner-sdk/webhooks';

/**
 * Your program's work. The service may deliver an event again, so store `event.deliveryId` with the
 * effect.
 */
@Injectable()
export class Settlements {
  readonly #logger = new Logger(Settlements.name);

  async settle({ data }: WebhookEventOf<'quote.executed'>): Promise<void> {
    this.#logger.log(`settled ${data.id}`);
  }
}

/** The application needs `rawBody: true`, because the signature covers the bytes. */
@Controller('webhooks/partner')
export class PartnerWebhooksController {
  readonly #handle: NodeWebhookHandler;

  constructor(@Inject(Settlements) settlements: Settlements) {
    const logger = new Logger(PartnerWebhooksController.name);
    this.#handle = nodeWebhookHandler({
      secret: process.env['PARTNER_WEBHOOK_SECRET'] ?? '',
      on: { 'quote.executed': (event) => settlements.settle(event) },
      onRejected: ({ reason, message }) => logger.warn(`webhook rejected, ${reason}: ${message}`),
      onError: (error, event) =>
        logger.error(`webhook ${event?.deliveryId} failed and will be delivered again: ${error}`),
    });
  }

  /** `@Res()` leaves the response to the handler. */
  @Post()
  async receive(@Req() request: NodeWebhookRequest, @Res() response: NodeWebhookResponse): Promise<void> {
    await this.#handle(request, response);
  }
}
