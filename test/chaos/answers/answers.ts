import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Finding } from '../judge/judge.js';
import { counted, type PartResult } from '../judge/report.js';

/** The name of the part of a run that gives kept and changed answers to the client. */
export const ANSWERS = 'answers';

export interface AnswersTask {
  readonly seed: number;
  readonly seconds: number;
}

export interface AnswersReport {
  answers: number;
  /** How each call ended. */
  readonly endings: string[];
  readonly findings: Finding[];
}

const PROGRAM = fileURLToPath(new URL('./program.ts', import.meta.url));

/** No answer may cost more memory. */
const HEAP = '--max-old-space-size=128';

export async function runAnswers(task: AnswersTask, repeat: string): Promise<PartResult> {
  const child = fork(PROGRAM, { execArgv: [HEAP, '--import', 'tsx'] });
  child.send(task);
  let report: AnswersReport = { answers: 0, endings: [], findings: [] };
  child.once('message', (told: AnswersReport) => {
    report = told;
  });
  const [code, signal] = await once(child, 'close');
  const { answers, endings, findings } = report;
  if (code !== 0 || answers === 0)
    findings.push({ figure: 'incidents', what: `its process ended with ${code ?? signal}` });
  const volume = `${ANSWERS}: ${answers} answers\n  ends: ${counted(endings)}`;
  return { label: ANSWERS, volume, findings, storyOf: () => [], repeat };
}
