import type { SandboxHealth } from '../../../sandbox/drive/requests/watching.js';
import type { CheckEvidence, CheckStatus, SandboxCheck } from '../../../sandbox/service/checks/check.js';
import { momentOf } from '../../parts/values/format.js';

/** The words for how a check ended. */
export const WORDS: Readonly<Record<CheckStatus, string>> = {
  failed: 'failed',
  passed: 'passed',
  unseen: 'not seen yet',
};

/** Checks that failed first, then those that have nothing to judge. */
export function sorted(checks: readonly SandboxCheck[]): SandboxCheck[] {
  const order: readonly CheckStatus[] = ['failed', 'unseen', 'passed'];
  return order.flatMap((status) => checks.filter((check) => check.status === status));
}

export function summaryOf(checks: readonly SandboxCheck[]): string {
  const count = (wanted: CheckStatus): number => checks.filter(({ status }) => status === wanted).length;
  return `${count('failed')} failed, ${count('passed')} passed, ${count('unseen')} not seen yet`;
}

/** Facts of the sandbox that a report is of. */
export type ReportHead = Pick<SandboxHealth, 'version' | 'seed' | 'now'>;

export function jsonReport(checks: readonly SandboxCheck[], { version, seed, now }: ReportHead): string {
  return JSON.stringify(
    { version, seed, at: new Date(now).toISOString(), real: new Date().toISOString(), checks },
    null,
    2,
  );
}

/** A report for a ticket. Foreign text in it stands as code, never as markup. */
export function markdownReport(checks: readonly SandboxCheck[], { version, seed, now }: ReportHead): string {
  const parts = sorted(checks).map((check) => {
    const { title, meaning, status, found, evidence } = check;
    const more = found > evidence.length ? [`- and ${found - evidence.length} more`] : [];
    return [`## ${title}: ${WORDS[status]}`, '', meaning, '', ...evidence.map(lineOf), ...more, ''].join('\n');
  });
  const head = [
    '# Integration report',
    '',
    `partner-sdk ${version}, sandbox with seed ${seed}, ${momentOf(now)} by its clock, ${momentOf(Date.now())} by the machine's.`,
    '',
    `${summaryOf(checks)}.`,
    '',
  ];
  return [...head, ...parts].join('\n');
}

function lineOf({ text, seq, resource }: CheckEvidence): string {
  const place = seq === undefined ? '' : ` (request ${seq})`;
  const subject = resource === undefined ? '' : ` (${resource.kind} ${code(resource.id)})`;
  return `- ${code(text)}${place}${subject}`;
}

/** A line of code, whatever is in it. */
function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const mark = '`'.repeat(longest + 1);
  const space = longest > 0 ? ' ' : '';
  return `${mark}${space}${text.replace(/\s+/g, ' ')}${space}${mark}`;
}
