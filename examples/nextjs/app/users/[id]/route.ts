import { isApiError, isPartnerError, type PartnerError, RequestValidationError } from 'partner-sdk';
import { partner } from '../../../lib/partner';

export const dynamic = 'force-dynamic';

/** Not any 404, which a proxy or a wrong base URL gets. The client rejects an id that nobody can have. */
const isNoUser = (error: unknown) => isApiError(error, 'user_not_found') || error instanceof RequestValidationError;

/** A write whose outcome is unknown may have happened, so your user must not send it again. */
const toldOf = ({ outcome }: PartnerError) =>
  outcome === 'not_applied' ? 'the partner service failed' : 'the result is not known yet, so do not try again';

export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  try {
    const { id, created_at: since } = await partner().users.get((await params).id);
    return Response.json({ id, since });
  } catch (error) {
    if (isNoUser(error)) return Response.json({ error: 'no such user' }, { status: 404 });
    if (!isPartnerError(error)) throw error;
    console.error(error); // don't show its message to your users
    return Response.json({ error: toldOf(error) }, { status: 502 });
  }
}
