import { type ArgumentsHost, BadGatewayException, Catch, Logger } from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';
import { PartnerError } from 'partner-sdk';

/** Answers 502 where a controller lets an error of the client through. Its message is not for your users. */
@Catch(PartnerError)
export class PartnerErrorFilter extends BaseExceptionFilter {
  readonly #logger = new Logger(PartnerErrorFilter.name);

  override catch(error: PartnerError, host: ArgumentsHost): void {
    this.#logger.error(error);
    super.catch(new BadGatewayException('the partner service failed'), host);
  }
}
