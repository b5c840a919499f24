import { type ArgumentsHost, BadGatewayException, Catch, Logger } from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';
import { PartnerError } from 'partner-sdk';

/**
 * Answers 502 when a controller throws an error of the client. Don't show its message to your
 * users.
 */
@Catch(PartnerError)
export class PartnerErrorFilter extends BaseExceptionFilter {
  readonly #logger = new Logger(PartnerErrorFilter.name);

  override catch(error: PartnerError, host: ArgumentsHost): void {
    this.#logger.error(error);
    super.catch(new BadGatewayException('the partner service failed'), host);
  }
}
