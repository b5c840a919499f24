/** Makes many clients, one per API key, and looks at what they hold. */
import type { PartnerClient } from 'partner-sdk';
import { freshClient } from '../lanes/sdk.js';
import type { ClientsReport, ClientsSetup } from './clients.js';
import { each, held } from './memory.js';

const { url, count } = JSON.parse(process.argv[2] ?? '') as ClientsSetup;

async function round(prefix: string, clients: number): Promise<ClientsReport> {
  const before = await held();
  const made: PartnerClient[] = [];
  for (let index = 0; index < clients; index++) made.push(await freshClient(url, `${prefix}-${index}`));
  const idle = each(before, await held(), clients);
  for (const client of made) await client.users.get('USER-0000-0001');
  const used = each(before, await held(), clients);
  const connections = await made.at(-1)?.request({ method: 'GET', path: '/connections' });
  if (connections !== clients) throw new Error(`${connections} connections of ${clients} clients are open`);
  await Promise.all(made.map((client) => client.close()));
  made.length = 0;
  return { idle, used, left: each(before, await held(), clients) };
}

// The first clients of a process also pay for compiled code and caches.
await round('warm', 20);
process.send?.(await round('tenant', count));
process.disconnect?.();
