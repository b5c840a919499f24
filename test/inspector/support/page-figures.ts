import type { Browser, CDPSession, Page } from 'playwright-core';

/** What a page did in a time. Times are of its main thread. */
export interface PageFigures {
  /** CPU in ms of the longest tasks, longest first. */
  readonly longestCpuMs: readonly number[];
  /** Tasks that took more than 50 ms by the machine's clock: other processes lengthen them, too. */
  readonly longTasks: readonly number[];
  /** Share of one core. */
  readonly cpuShare: number;
  readonly drawsPerSecond: number;
  readonly nodes: number;
  /** After a collection of garbage. */
  readonly heapMegabytes: number;
}

/** A task that takes longer is felt. */
export const LONG_TASK_MS = 50;

/** CPU in ms that `YARDSTICK` takes on a machine on which a task of `LONG_TASK_MS` is felt. */
const YARDSTICK_CPU_MS = 25;

/** Work of the kind that a page does, always the same. */
const YARDSTICK = `
  document.body.replaceChildren();
  const rows = JSON.parse(JSON.stringify(Array.from({ length: 2_000 }, (_, seq) => ({ seq, text: 'entry ' + seq }))));
  for (const { text } of rows) {
    const row = document.createElement('p');
    row.textContent = text;
    document.body.append(row);
  }
  document.body.offsetHeight;
`;

const YARDSTICK_RUNS = 5;

/** By it a trace tells the page from the browser's own ones. */
const MARK = 'benched';

/** In the page before its own script. Text: the bench knows no browser's types. */
const WATCH = `
  performance.mark('${MARK}');
  window.benched = { longTasks: [], draws: 0 };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) benched.longTasks.push(Math.round(duration));
  }).observe({ type: 'longtask', buffered: true });
  new MutationObserver(() => { benched.draws += 1; }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
`;

interface Watched {
  readonly longTasks: readonly number[];
  readonly draws: number;
}

/** Makes a page that will watch itself, in a browser that knows nothing of it yet. */
export async function watchedPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 } });
  const page = await context.newPage();
  await page.addInitScript(WATCH);
  return page;
}

/**
 * Returns how many times slower than usual this machine works for a page at present, at least 1. Starts all
 * processes of the browser, too.
 */
export async function slownessOf(browser: Browser): Promise<number> {
  const page = await browser.newPage();
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const took: number[] = [];
  for (let run = 0; run < YARDSTICK_RUNS; run += 1) {
    const before = await cpuOf(session);
    await page.evaluate(`{${YARDSTICK}}`);
    took.push((await cpuOf(session)) - before);
  }
  await page.close();
  const median = took.sort((a, b) => a - b)[YARDSTICK_RUNS >> 1] ?? 0;
  return Math.max(1, (median * 1_000) / YARDSTICK_CPU_MS);
}

/** Milliseconds from the request for the page to its first paint. */
export async function firstPaintMs(page: Page): Promise<number> {
  await page.waitForFunction(`performance.getEntriesByType('paint').length > 0`);
  return page.evaluate(`Math.round(performance.getEntriesByType('paint')[0].startTime)`);
}

/** Measures a page that watches itself while `work` opens it, or goes on with it. */
export async function measured(browser: Browser, page: Page, work: () => Promise<void>): Promise<PageFigures> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await browser.startTracing(page, { categories: ['toplevel', 'blink.user_timing'] });
  // The page may have been opened before.
  await page.evaluate(`performance.mark('${MARK}')`);
  const [cpuBefore, began] = [await cpuOf(session), performance.now()];
  try {
    await work();
  } catch (error) {
    // Other tests use the same browser, and it traces once at a time.
    await browser.stopTracing();
    throw error;
  }
  const seconds = (performance.now() - began) / 1_000;
  const cpuAfter = await cpuOf(session);
  const { longTasks, draws }: Watched = await page.evaluate('window.benched');
  const longestCpuMs = longestTasks(await browser.stopTracing());
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return {
    longestCpuMs,
    longTasks,
    cpuShare: (cpuAfter - cpuBefore) / seconds,
    drawsPerSecond: draws / seconds,
    nodes: await page.evaluate(`document.querySelectorAll('*').length`),
    heapMegabytes: usedSize / 1e6,
  };
}

/** Seconds of CPU that the page's thread has had. */
async function cpuOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (
    metrics.find(({ name }) => name === 'ThreadTime')?.value ??
    metrics.find(({ name }) => name === 'TaskDuration')?.value ??
    0
  );
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of CPU of the thread. */
  readonly tdur?: number;
}

/** Returns ms of CPU of the ten longest tasks of the page. */
function longestTasks(trace: Buffer): number[] {
  const { traceEvents }: { readonly traceEvents: readonly TraceEvent[] } = JSON.parse(trace.toString('utf8'));
  const place = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const mains = new Set(traceEvents.filter(({ name }) => name === MARK).map(place));
  return traceEvents
    .filter((event) => event.tdur !== undefined && mains.has(place(event)))
    .map(({ tdur = 0 }) => tdur / 1_000)
    .sort((a, b) => b - a)
    .slice(0, 10);
}
