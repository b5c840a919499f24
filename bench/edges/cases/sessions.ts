import { figure, table } from '../../figures.js';
import { Measured, type Result } from '../measured.js';
import type { Scale } from '../scale.js';
import { answering, type Site } from '../site.js';
import { failed, mustBeRight, mustHold } from '../verdict.js';

const CALLERS = 64;

/** nginx says GOAWAY after 1,000 requests of a session: calls that cross it are neither lost nor counted as failures. */
export async function goaway(site: Site, { short, measurer }: Scale): Promise<void> {
  const calls = short ? 4_000 : 20_000;
  const load = { kind: 'counted', callers: CALLERS, calls } as const;
  const result = await measurer.run('default', site.nginxHttp2.address, load, answering(20));
  const row = {
    calls: result.whole.calls,
    'calls/s': figure(result.whole.rate),
    failed: failed(result),
    unknown: result.unknown,
    wrong: result.wrong,
    'requests at the service': result.service.requests,
    refused: result.service.refused,
    'repeats of the client': result.retries,
    'budget spent': result.budgetSpent,
    way: result.way ?? '–',
  };
  console.log(table([row]));
  const where = `${calls} calls behind nginx over h2`;
  mustBeRight(where, result);
  const spent = result.budgetSpent;
  mustHold(`${where}: no retry budget is spent: ${spent}`, spent === 0);
  // Each request that the service saw is a call or a repeat of one that it refused.
  const unexplained = result.service.requests - calls - result.service.refused;
  mustHold(`${where}: no request reaches the service twice: ${unexplained}`, unexplained === 0);
}

const RELOAD_EVERY_MS = 1_000;

/** nginx reloads again and again. Each time its sessions end, and a write without key that an end disowns is `unknown`. */
export async function reload(site: Site, { seconds }: Scale): Promise<void> {
  const load = { kind: 'closed', callers: CALLERS, seconds: seconds(20, 4) } as const;
  const rows: Record<string, string | number>[] = [];
  for (const { name, address } of [site.nginxHttp2, site.nginxTls]) {
    for (const only of ['unkeyed write', 'keyed write', 'read'] as const) {
      const measured = await Measured.start(site.backend);
      let reloads = 0;
      const timer = setInterval(() => {
        site.reloadNginx();
        reloads++;
      }, RELOAD_EVERY_MS);
      const result = await measured.run('default', address, { ...load, only }, answering(20));
      clearInterval(timer);
      await measured.stop();
      rows.push(reloadRow(name, only, reloads, result));
      judgeReload(`${only}s while ${name} reloads`, result);
    }
  }
  console.log(table(rows));
}

function reloadRow(edge: string, calls: string, reloads: number, result: Result) {
  return {
    edge,
    calls: `${result.whole.calls} ${calls}s`,
    reloads,
    'calls/s': figure(result.whole.rate),
    failed: failed(result),
    unknown: result.unknown,
    'unknown for each reload': figure(result.unknown / reloads, 2),
    'requests at the service': result.service.requests,
    refused: result.service.refused,
    'repeats of the client': result.retries,
    way: result.way ?? '–',
  };
}

function judgeReload(where: string, { failures, unknown, wrong, service, whole }: Result): void {
  mustHold(`${where}: what fails is unknown: ${failures - unknown}`, failures === unknown);
  mustHold(`${where}: no answer reaches another call: ${wrong}`, wrong === 0);
  const doubled = service.requests - service.refused - whole.calls;
  mustHold(`${where}: no request is applied twice: ${doubled}`, doubled <= 0);
}

/** An edge closes connections without a request after a second, and calls come about as far apart; one in three must not be repeated. */
export async function idle(site: Site, { short }: Scale): Promise<void> {
  const load = { kind: 'pauses', clients: 30, calls: short ? 6 : 30, pause: [900, 1300] } as const;
  const results = await Promise.all(
    site.brief.map(async ({ name, address }) => {
      const measured = await Measured.start(site.backend);
      const result = await measured.run('default', address, load, answering(20));
      await measured.stop();
      return { name, result };
    }),
  );
  console.log(table(results.map(({ name, result }) => rowOf(name, result))));
  for (const { name, result } of results) mustBeRight(name, result);
}

function rowOf(edge: string, result: Result) {
  const { whole, service } = result;
  return {
    edge,
    calls: whole.calls,
    failed: failed(result),
    unknown: result.unknown,
    wrong: result.wrong,
    requests: service.requests,
    refused: service.refused,
    p50: figure(whole.p50),
    p95: figure(whole.p95),
    'budget spent': result.budgetSpent,
  };
}
