import { execFileSync } from 'node:child_process';
import { cpus, loadavg, platform, release, totalmem } from 'node:os';
import { isPinned } from '../processes.js';
import { ROOT } from '../project.js';

/** Where, when and on what a run was made, as lines of Markdown. */
export function machineLines(installedIn: string | undefined, version: string): string[] {
  const [cpu] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const cores = isPinned
    ? 'client and service on a core each'
    : 'client and service share the cores (no `taskset`, or one core): ratios are less sharp';
  return [
    `- ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, partner-sdk ${version} ${installedIn === undefined ? `of ${revision()}` : 'as it was installed'}`,
    `- Node ${process.versions.node}, ${platform()} ${release()}, ${cpus().length} × ${cpu?.model ?? 'unknown'}, ${gigabytes} GB; ${cores}`,
    `- load when it ended: ${loadavg()[0]?.toFixed(2)}, of which the bench is 1`,
  ];
}

function revision(): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { cwd: ROOT, encoding: 'utf8' }).trim();
  } catch {
    return 'no commit';
  }
}
