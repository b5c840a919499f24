import { undiciTransport } from 'partner-sdk';
import type { CreateClient } from '../client.js';
import { createWith } from './partner-sdk.js';

/** Over HTTP/1.1 also where the service speaks HTTP/2. */
export const create: CreateClient = (origin) => createWith(origin, { transport: undiciTransport({ http2: false }) });
