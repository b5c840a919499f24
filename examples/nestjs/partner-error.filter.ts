import { type ArgumentsHost, BadGatewayException, Catch, Logger } from '@nestjs/common';
import { BaseExceptionFilter } from '@nestjs/core';
import { PartnerError } from 'partner-sdk';

/** A write whose outcome is unknown may have happened, so your user must not send it again. */
const toldOf = ({ outcome }: PartnerError) =>
  outcome === 'not_applied' ? 'the partner service failed' : 'the result is not known yet, so do not try again';

/**
 * Answers 502 when a controller throws an error of the client. Don't show its message to your
 * users.
 */
@Catch(PartnerError)
export class PartnerErrorFilter extends BaseExceptionFilter {
  readonly #logger = new Logger(PartnerErrorFilter.name);

  override catch(error: PartnerError, host: ArgumentsHost): void {
    this.#logger.error(error);
    super.catch(new BadGatewayException(toldOf(error)), host);
  }
}
