import { Controller, Get, Inject, NotFoundException, Param } from '@nestjs/common';
import { NotFoundError, PartnerClient, RequestValidationError } from 'partner-sdk';

/** Nobody has this id, or it isn't an id at all. */
const isNoUser = (error: unknown) => error instanceof NotFoundError || error instanceof RequestValidationError;

@Controller('users')
export class UsersController {
  readonly #partner: PartnerClient;

  constructor(@Inject(PartnerClient) partner: PartnerClient) {
    this.#partner = partner;
  }

  @Get(':id')
  async get(@Param('id') id: string): Promise<{ id: string; since: string }> {
    try {
      const user = await this.#partner.users.get(id);
      return { id: user.id, since: user.created_at };
    } catch (error) {
      if (isNoUser(error)) throw new NotFoundException();
      throw error;
    }
  }
}
