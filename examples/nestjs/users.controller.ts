import { Controller, Get, Inject, NotFoundException, Param } from '@nestjs/common';
import { isApiError, PartnerClient, RequestValidationError } from 'partner-sdk';

/** Not any 404, which a proxy or a wrong base URL gets. The client rejects an id that nobody can have. */
const isNoUser = (error: unknown) => isApiError(error, 'user_not_found') || error instanceof RequestValidationError;

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
