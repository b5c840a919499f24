import { setTimeout as sleep } from 'node:timers/promises';
import { figure, table } from '../../figures.js';
import { Measured, type Result } from '../measured.js';
import type { Scale } from '../scale.js';
import { answering, type Site } from '../site.js';
import { failed, mustBeRight, percent, refusedShare, shouldReach } from '../verdict.js';

const CALLS = 64;
const ANSWER_MS = 50;
const LOAD = { kind: 'burst', calls: CALLS } as const;

/** What a quiet machine reaches: time in ms until all are answered, and refusals for each call. */
const ALL_ANSWERED_MS = 1_000;
const REFUSED = 0.025;

/** One burst of one client. */
interface Burst {
  readonly edge: string;
  readonly client: string;
  readonly result: Result;
}

/** 64 calls at once at a client that has made none, and again when it has rested. */
export async function burst(site: Site, { short }: Scale): Promise<void> {
  const rest = short ? 6 : 30;
  const bursts: Burst[] = [];
  const clients: { readonly edge: string; readonly measured: Measured }[] = [];
  for (const { name: edge, address } of [site.nginxTls, site.nginxHttp2]) {
    for (let index = 0; index < (short ? 1 : 3); index++) {
      const measured = await Measured.start(site.backend);
      clients.push({ edge, measured });
      const result = await measured.run('default', address, LOAD, answering(ANSWER_MS));
      bursts.push({ edge, client: 'cold', result });
    }
  }
  await sleep(rest * 1000);
  for (const { edge, measured } of clients) {
    bursts.push({ edge, client: `after ${rest} s`, result: await measured.again(LOAD) });
    await measured.stop();
  }
  console.log(`${table(bursts.map(rowOf))}\n`);
  for (const one of bursts) judge(one);
}

function rowOf({ edge, client, result }: Burst) {
  return {
    edge,
    client,
    'all answered after ms': figure(result.whole.last),
    p50: figure(result.whole.p50),
    refused: `${result.service.refused} of ${CALLS}`,
    failed: failed(result),
    wrong: result.wrong,
    connections: result.connections ?? '–',
  };
}

function judge({ edge, client, result }: Burst): void {
  const where = `${edge}, ${client}`;
  mustBeRight(where, result);
  const { last } = result.whole;
  const refused = refusedShare(result);
  shouldReach(`${where}: all answered within ${ALL_ANSWERED_MS} ms`, `${figure(last)} ms`, last <= ALL_ANSWERED_MS);
  shouldReach(`${where}: at most ${percent(REFUSED, 1)} refused`, percent(refused), refused <= REFUSED);
}
