import type { RegisteredWebhook, Sandbox } from 'partner-sdk/sandbox';
import { systemCode } from '../../util/system-error.js';
import { type InPieces, SNAPSHOT_PIECES } from '../snapshot/pieces.js';
import type { CommandOptions } from './arguments.js';
import { paint, plain, wantsColor } from './color.js';
import { Failure } from './failure.js';
import { jsonPrinter } from './json-printer.js';
import { Keeper } from './keeper.js';
import { listen } from './listen.js';
import { openSandbox } from './open-sandbox.js';
import { Output } from './output.js';
import type { Printer } from './printer.js';
import { endSignal } from './signals.js';
import { StateFile } from './state-file.js';
import { textPrinter } from './text-printer.js';
import { openWebhook, removeSavedWebhook, savedWebhook, webhookMember } from './webhook.js';

/**
 * Runs a sandbox until a signal or a reader who went away ends it. Rejects with a `Failure` when it cannot start, or cannot save its
 * state at the end; `report` gets what goes wrong in between.
 */
export async function run(options: CommandOptions, report: (problem: string) => void): Promise<void> {
  const asked = endSignal();
  const output = new Output(process.stdout);
  const printer = printerOf(options);
  const file = options.state === undefined ? undefined : await StateFile.open(options.state);
  const keeper = file && new Keeper(file, () => stateOf(sandbox, webhook), report);
  const tell = (lines: () => string): void => {
    if (!options.quiet) output.write(lines());
    keeper?.changed();
  };
  const sandbox: Sandbox = await openSandbox(options, file, {
    onRequest: (entry) => tell(() => printer.request(entry)),
    onDelivery: (delivery, attempt) => tell(() => printer.delivery(delivery, attempt)),
    onControl: (call) => tell(() => printer.control(call)),
  });
  const saved = savedWebhook(file?.content);
  if (options.noWebhook) removeSavedWebhook(sandbox, saved);
  const webhook = openWebhook(sandbox, options.webhook, saved);
  const address = await listen(sandbox, options.host, options.port);
  await keeper?.save();
  const { credentials, fixtures } = sandbox;
  output.begin(printer.listening({ ...address, credentials, fixtures, webhook, state: options.state }));

  const reason = await Promise.race([asked, output.broken, ...(keeper ? [keeper.lost] : [])]);
  await sandbox.close();
  await keeper?.end();
  if (reason instanceof Error) throw outputFailure(reason);
  output.write(printer.closed(reason));
  await output.flushed();
  // Whatever may still be open, the user wants it to end.
  process.exit();
}

/** The text of the state file, in pieces. */
function stateOf(sandbox: Sandbox, webhook: RegisteredWebhook | undefined): Iterable<string> {
  return (sandbox as Sandbox & InPieces)[SNAPSHOT_PIECES](webhookMember(webhook));
}

/** A reader such as `head` that has seen enough is no failure of the sandbox. */
function outputFailure(error: Error): Failure {
  if (systemCode(error) === 'EPIPE') return new Failure(0, 'nobody reads the output any more');
  return new Failure(1, `the output cannot be written: ${error.message}`);
}

function printerOf({ json, verbose }: CommandOptions): Printer {
  if (json) return jsonPrinter;
  return textPrinter({ verbose, paint: wantsColor(process.stdout, process.env) ? paint : plain });
}
