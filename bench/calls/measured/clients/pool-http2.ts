import { Pool } from 'undici';
import type { CreateClient } from '../client.js';
import { createWith } from './pool.js';

/** All requests over one HTTP/2 session. */
export const create: CreateClient = (origin) => createWith(new Pool(origin, { connections: 1, allowH2: true }));
