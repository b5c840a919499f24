/**
 * Downloads the settlement reports of a day (UTC) to files.
 *
 *     npx tsx examples/download-report.ts 2026-01-15 ./reports
 *
 * Reads PARTNER_BASE_URL, PARTNER_API_KEY and PARTNER_API_SECRET. The format of the files is not
 * documented, so they are saved unchanged.
 */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PartnerClient } from 'partner-sdk';

/**
 * How often a download is tried, each time with a fresh URL, and the wait between two attempts in
 * ms.
 */
const ATTEMPTS = 3;
const WAIT_MS = 1_000;

/** The longest time of one attempt, in ms. */
const DOWNLOAD_MS = 10 * 60_000;

/** Node's `fetch`, or in a test with `createTestClient()` the `fetch` of the sandbox. */
export type Download = (request: Request) => Promise<Response>;

/** Downloads the reports of a day, for example `2026-01-15`. Returns the paths of the files. */
export async function downloadReports(
  client: PartnerClient,
  day: string,
  directory: string,
  download: Download = fetch,
): Promise<string[]> {
  await mkdir(directory, { recursive: true });
  const paths: string[] = [];
  const ofTheDay = { start_date: `${day}T00:00:00Z`, end_date: `${day}T23:59:59Z` };
  for await (const { id } of client.reports.settlement.list(ofTheDay)) {
    paths.push(await downloadReport(client, id, directory, download));
  }
  return paths;
}

/** Downloads a report into a directory. Returns the path of the file, which is complete. */
export async function downloadReport(
  client: PartnerClient,
  reportId: string,
  directory: string,
  download: Download = fetch,
): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    // Each attempt asks for a fresh URL, because the last one may have expired.
    const { download_url: url = '', name = reportId } = await client.reports.settlement.get(reportId);
    // Node's message about an invalid URL would contain the URL.
    if (!URL.canParse(url)) throw new Error(`report ${reportId} has no URL`);
    // The name comes from outside, so it must not lead to another directory.
    const path = join(directory, name.replaceAll(/[^\w.-]/g, '_'));
    try {
      await save(url, path, download);
      return path;
    } catch (error) {
      if (attempt === ATTEMPTS) throw new Error(`report ${reportId} can't be downloaded`, { cause: error });
      await sleep(WAIT_MS);
    }
  }
}

/** Whoever has the URL can read the file, so the URL must not get into an error or a log. */
async function save(url: string, path: string, download: Download): Promise<void> {
  // Without the headers of the API: the URL needs no API key, and may lead to another host.
  const response = await download(new Request(url, { signal: AbortSignal.timeout(DOWNLOAD_MS) }));
  try {
    if (!response.ok) throw new Error(`the download failed with status ${response.status}`);
    // Streamed, and under another name until the file is complete.
    await writeFile(`${path}.part`, response.body ?? '');
    await rename(`${path}.part`, path);
  } catch (error) {
    await response.body?.cancel().catch(() => {});
    await rm(`${path}.part`, { force: true });
    throw error;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [day = '', directory = ''] = process.argv.slice(2);
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || directory === '') throw new Error('usage: download-report.ts DAY DIRECTORY');
  await using client = new PartnerClient();
  for (const path of await downloadReports(client, day, directory)) console.log(path);
}
