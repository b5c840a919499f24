// The edge runtime has neither undici nor modules of Node, so the package has an entry for it.
export const runtime = 'edge';

export { GET } from '../../users/[id]/route';
