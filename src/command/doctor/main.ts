import { readFileSync } from 'node:fs';
import { claimedIn } from '../../sandbox/webhooks/verify/claimed-signature.js';
import { verdictOf } from '../../sandbox/webhooks/verify/verify.js';
import { print } from '../../util/print.js';
import { setupFrom, variable } from '../environment.js';
import { type FlagRules, flagLines, readWords, UsageError, wholeNumber } from '../flags.js';
import { mistakeOf } from './credentials.js';
import { type Finding, finding, report } from './finding.js';

const FLAGS = {
  'base-url': { value: 'url', help: 'the service; default PARTNER_BASE_URL' },
  timeout: { value: 'ms', help: 'limit of the signed read; default 10000' },
  tolerance: { value: 'seconds', help: 'how far the time of a delivery may be off; default 300' },
  json: { help: 'one line of JSON' },
  help: { help: 'this help' },
} as const satisfies FlagRules;

const HELP = `Checks a set-up against the real service, and a delivery of a webhook.

Usage: npx partner-sdk doctor [flags]              one signed read
       npx partner-sdk doctor webhook [file]       a delivery: its body in the file, or on stdin

${flagLines(FLAGS)}

Keys and secrets come from the environment alone: PARTNER_API_KEY, PARTNER_API_SECRET, PARTNER_USER_ID (optional: the
user to read), and for a delivery PARTNER_WEBHOOK_SECRET, PARTNER_WEBHOOK_SIGNATURE (its header X-Signature).

Exit codes: 0 no problem, 1 a problem was found, 2 wrong usage or environment.`;

const TIMEOUT_MS = '10000';
const TOLERANCE_SECONDS = '300';

/**
 * Runs `partner-sdk doctor`, and returns the exit code.
 *
 * @throws UsageError if command line or environment are wrong.
 */
export async function doctor(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const { plain, values } = readWords(args, FLAGS);
  if (values.help !== undefined) {
    await print(HELP);
    return 0;
  }
  const [kind, file, ...more] = plain;
  if ((kind !== undefined && kind !== 'webhook') || more.length > 0)
    throw new UsageError('doctor takes no arguments, or the word webhook and the name of a file');
  const isJson = values.json !== undefined;
  if (kind === 'webhook') {
    const tolerance = wholeNumber('tolerance', values.tolerance ?? TOLERANCE_SECONDS, 0);
    return report(webhookFindings(environment, file, tolerance), isJson);
  }
  const setup = setupFrom(environment, values['base-url']);
  const timeout = wholeNumber('timeout', values.timeout ?? TIMEOUT_MS, 1);
  const userId = environment['PARTNER_USER_ID'] || undefined;
  // Loaded late: a wrong flag is reported at once.
  const { serviceFindings } = await import('./service.js');
  return report(await serviceFindings({ ...setup, userId, timeout }), isJson);
}

/** @throws UsageError if the file cannot be read. */
function bodyOf(file: string | undefined): string {
  try {
    return readFileSync(file ?? 0, 'utf8');
  } catch (error) {
    throw new UsageError(`the body cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
}

/** Verifies a delivery that was pasted, and finds the likely mistake if it is not valid. */
function webhookFindings(
  environment: NodeJS.ProcessEnv,
  file: string | undefined,
  toleranceSeconds: number,
): readonly Finding[] {
  // A header is often pasted with its name.
  const signature = variable(environment, 'PARTNER_WEBHOOK_SIGNATURE')
    .replace(/^\s*x-signature:/i, '')
    .trim();
  const secret = variable(environment, 'PARTNER_WEBHOOK_SECRET');
  const scheme = /\bv1=/.test(signature) ? 'timestamped' : 'body';
  const { valid, problem, ageSeconds } = verdictOf({
    body: bodyOf(file),
    claimed: claimedIn({ 'X-Signature': signature }),
    toleranceSeconds,
    real: Date.now(),
    candidates: [{ secret, scheme, webhookId: undefined, isValid: true }],
    others: [],
  });
  const found = [finding('header', 'fact', `scheme ${scheme}`)];
  // The handlers take the secret as it was shown, and nothing around it.
  const mistake = mistakeOf(secret);
  if (mistake !== undefined) found.push(finding('secret', 'problem', `PARTNER_WEBHOOK_SECRET ${mistake}`));
  if (ageSeconds !== undefined) {
    const side = ageSeconds < 0 ? 'in the future' : 'old';
    found.push(finding('time', 'fact', `signed ${Math.abs(ageSeconds)} s ${side}`.replace(/(\d+ s) old/, '$1 ago')));
  }
  found.push(finding('webhook', valid ? 'ok' : 'problem', problem ?? 'the delivery is genuine and fresh'));
  return found;
}
