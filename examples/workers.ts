/**
 * Four worker threads call the service at the same time, first each with an API key of its own,
 * then all with one API key: `node examples/workers.ts` (Node 22.18 or later).
 *
 * The program starts the embedded sandbox, so it needs no settings.
 */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { PartnerClient, UnauthenticatedError } from 'partner-sdk';
import { createSandbox, type SandboxCredentials } from 'partner-sdk/sandbox';

const WORKERS = 4;
const CALLS_OF_EACH = 200;
const IN_FLIGHT = 8;

interface Task {
  readonly baseUrl: string;
  readonly userId: string;
  readonly credentials: SandboxCredentials;
}

/** Outcome of one worker's calls. */
interface Report {
  readonly succeeded: number;
  /** Calls that got a 401, because another worker's nonce was higher. */
  readonly rejected: number;
}

async function main(): Promise<void> {
  const sandbox = createSandbox();
  const { url } = await sandbox.listen();
  const credentials = Array.from({ length: WORKERS }, () => sandbox.keys.issue());
  const [shared = sandbox.credentials] = credentials;
  const task = (own: SandboxCredentials): Task => ({
    baseUrl: url,
    userId: sandbox.fixtures.userId,
    credentials: own,
  });
  print('an API key each', await runWorkers(credentials.map(task)));
  print('one API key for all', await runWorkers(credentials.map(() => task(shared))));
  await sandbox.close();
}

function print(title: string, reports: readonly Report[]): void {
  const sum = (name: keyof Report): number => reports.reduce((total, report) => total + report[name], 0);
  console.log(`${WORKERS} workers, ${title}: ${sum('succeeded')} calls succeeded, ${sum('rejected')} were rejected`);
}

const runWorkers = (tasks: readonly Task[]): Promise<Report[]> => Promise.all(tasks.map(runWorker));

async function runWorker(task: Task): Promise<Report> {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: task });
  const [report] = (await once(worker, 'message')) as [Report];
  return report;
}

/** The work of a thread. One client sends all its calls. */
async function work({ baseUrl, userId, credentials }: Task): Promise<Report> {
  await using client = new PartnerClient({ baseUrl, ...credentials });
  let [started, succeeded, rejected] = [0, 0, 0];
  const callInTurn = async (): Promise<void> => {
    while (started++ < CALLS_OF_EACH) {
      try {
        await client.users.get(userId);
        succeeded++;
      } catch (error) {
        if (!(error instanceof UnauthenticatedError)) throw error;
        rejected++;
      }
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, callInTurn));
  return { succeeded, rejected };
}

if (isMainThread) await main();
else parentPort?.postMessage(await work(workerData));
