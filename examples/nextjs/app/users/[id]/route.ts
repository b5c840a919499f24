import { isPartnerError, NotFoundError } from 'partner-sdk';
import { partner } from '../../../lib/partner';

export const dynamic = 'force-dynamic';

export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  try {
    const { id, created_at: since } = await partner().users.get((await params).id);
    return Response.json({ id, since });
  } catch (error) {
    if (error instanceof NotFoundError) return Response.json({ error: 'no such user' }, { status: 404 });
    if (!isPartnerError(error)) throw error;
    console.error(error); // don't show its message to your users
    return Response.json({ error: 'the partner service failed' }, { status: 502 });
  }
}
