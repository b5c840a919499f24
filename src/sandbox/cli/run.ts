import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Sandbox } from 'partner-sdk/sandbox';
import { systemCode } from '../../util/system-error.js';
import { KEEPING, type Kept } from '../drive/snapshot/keeping.js';
import { fixtureExpiryText } from '../kinds/seed/fixture-expiry.js';
import type { CommandOptions } from './flags.js';
import { listen, openSandbox, savedWebhook, setUp, webhookMember } from './open-sandbox.js';
import { Failure, reasonOf } from './output/failure.js';
import { Output } from './output/output.js';
import { jsonPrinter, textPrinter } from './output/printer.js';
import { Keeper, StateFile } from './state/state-file.js';

/**
 * Runs a sandbox until a signal ends it, or the reader of its output stops reading. Rejects with a
 * `Failure` if it cannot start, or cannot save its state at the end. `report` is called with
 * problems in between.
 */
export async function run(options: CommandOptions, report: (problem: string) => void): Promise<void> {
  const signalled = endSignal();
  const output = new Output(process.stdout);
  const printer = options.json ? jsonPrinter : textPrinter(options);
  const file = options.state === undefined ? undefined : new StateFile(options.state);
  let keeper: Keeper | undefined;
  const onChange = (lines: () => string): void => {
    keeper?.changed();
    if (!options.quiet) output.write(lines());
  };
  const sandbox = await openSandbox(options, file, {
    onRequest: (entry) => onChange(() => printer.request(entry)),
    onDelivery: (delivery, attempt) => onChange(() => printer.delivery(delivery, attempt)),
    onControl: (call) => onChange(() => printer.control(call)),
  });
  const saved = savedWebhook(file?.content);
  let webhook = setUp(sandbox, options, saved);
  const { [KEEPING]: kept } = sandbox as Sandbox & Kept;
  kept.afterReset = () => {
    webhook = setUp(sandbox, options, saved);
  };
  const stateNow = () => ({ ...kept.snapshot(), ...webhookMember(webhook) });
  keeper = file && new Keeper(file, stateNow, report);
  kept.keeper = keeper;
  const address = await listen(sandbox, options);
  keeper?.save();
  const { credentials, fixtures } = sandbox;
  const fixtureExpiry = fixtureExpiryText(fixtures, sandbox.resources, options.still);
  output.begin(printer.listening({ ...address, credentials, fixtures, webhook, state: options.state, fixtureExpiry }));
  if (options.open) openPage(address.inspector, report);

  const reason = await Promise.race([signalled, output.broken]);
  await sandbox.close();
  keeper?.save();
  if (reason instanceof Error) throw outputFailure(reason);
  output.write(printer.closed(reason));
  await output.flushed();
  // Open sockets and timers must not keep the process alive.
  process.exit();
}

/** A reader that stops reading, such as `head`, is not a failure of the sandbox. */
function outputFailure(error: Error): Failure {
  if (systemCode(error) === 'EPIPE') return new Failure(0, 'nobody reads the output any more');
  return new Failure(1, `the output cannot be written: ${error.message}`);
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Milliseconds within which a second signal is the same Ctrl-C: terminal and `npx` send it. */
const SAME_SIGNAL_MS = 300;

/** Resolves with the first signal. A later one ends the process at once, with 128 + its number. */
function endSignal(): Promise<string> {
  return new Promise((resolve) => {
    let first: number | undefined;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (first === undefined) {
          first = performance.now();
          resolve(signal);
        } else if (performance.now() - first > SAME_SIGNAL_MS) {
          process.exit(128 + constants.signals[signal]);
        }
      });
    }
  });
}

/** The program that opens a URL in the browser. `start` takes a first quoted text as a title. */
const OPENERS: { readonly [Platform in NodeJS.Platform]?: readonly [string, ...string[]] } = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', '""'],
};

/** Opens a URL in the browser. If that fails, `report` is called with the reason. */
function openPage(url: string, report: (problem: string) => void): void {
  const [program, ...words] = OPENERS[process.platform] ?? ['xdg-open'];
  const fail = (why: string): void => report(`the browser cannot be opened (${why}): open ${url} yourself`);
  const child = spawn(program, [...words, url], { stdio: 'ignore', detached: true, windowsVerbatimArguments: true });
  child.once('error', (error) => fail(reasonOf(error)));
  child.once('exit', (code) => {
    if (code !== 0) fail(`${program} exited with ${code}`);
  });
  child.unref();
}
