import { z } from 'zod';

export const quote = z.object({ id: z.string() });
