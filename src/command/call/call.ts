import { randomUUID } from 'node:crypto';
import { type ApiPromise, fetchTransport, type PagedList, PartnerClient } from 'partner-sdk';
import { isLoopback } from '../../util/loopback.js';
import { OutputError, print } from '../../util/print.js';
import { printable } from '../../util/printable.js';
import { type CurlRequest, curlWords, shellQuoted } from '../../util/shell.js';
import { CALL_FLAGS, CALL_HELP, helpOf } from '../description/help.js';
import { Operations } from '../description/operations.js';
import { type Setup, setupFrom } from '../environment.js';
import { ownValues, splitBy, UsageError, type Values, wholeNumber } from '../flags.js';
import { failureOf, type Progress } from './failure.js';
import { argumentsOf } from './input.js';
import { ask, isTerminal, NotConfirmed, tell } from './terminal.js';

type Own = Values<typeof CALL_FLAGS>;

interface PlannedCall {
  readonly operation: string;
  readonly args: readonly unknown[];
}

/** Runs `partner-sdk call`, and returns the exit code. An error is one line of JSON. */
export async function call(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const progress: Progress = { outcome: 'not_applied' };
  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.abort());
  try {
    await run(args, environment, progress, interruption.signal);
    return 0;
  } catch (error) {
    if (error instanceof OutputError && error.isUnread && progress.outcome === 'not_applied') return 0;
    const { exitCode, line } = failureOf(error, progress);
    tell(printable(JSON.stringify(line)));
    return exitCode;
  }
}

async function run(args: readonly string[], environment: NodeJS.ProcessEnv, progress: Progress, signal: AbortSignal) {
  const words = splitBy(args, CALL_FLAGS);
  const own = ownValues(words, CALL_FLAGS);
  const [name] = words.plain;
  if (name === undefined && own.help !== undefined) return print(CALL_HELP);
  if (name === undefined) throw new UsageError('call needs an operation. To list them, run npx partner-sdk operations');
  const operation = new Operations().named(name);
  progress.operation = operation;
  if (own.help !== undefined) return print(helpOf(operation));
  const { method, needsOtp } = operation;
  if (own.all !== undefined && (own.curl !== undefined || operation['x-pagination'] === undefined)) {
    throw new UsageError('--all works only for lists, and not with --curl');
  }
  const given = argumentsOf(operation, words, own.body);
  const timeout = own.timeout === undefined ? undefined : wholeNumber('timeout', own.timeout, 1);
  const setup = setupFrom(environment, own['base-url']);
  const isKeyed = operation['x-idempotency'] === 'keyed';
  if (!isKeyed && own['idempotency-key'] !== undefined) throw new UsageError(`${name} takes no --idempotency-key`);
  const idempotencyKey = own['idempotency-key'] ?? (isKeyed ? randomUUID() : undefined);
  const planned = (otp: string | undefined): PlannedCall => {
    const options = { signal, timeout, idempotencyKey, otp };
    return { operation: name, args: [...given, options] };
  };
  let otp = method === 'GET' ? undefined : environment['PARTNER_OTP'] || undefined;
  // Checks the input by the client's rules, before any question and before the key is shown.
  await rehearse(setup, planned(otp ?? (needsOtp ? 'asked-for-later' : undefined)));
  if (method !== 'GET') {
    if (own.yes === undefined) await confirmUnlessLocal(setup, `${method} ${operation.path}`);
    if (needsOtp) otp ??= await askOtp(name);
    tellKey(idempotencyKey, operation['x-idempotency']);
    progress.idempotencyKey = idempotencyKey;
  }
  if (own.curl !== undefined) return printCurl(setup, planned(otp));
  return send(setup, planned(otp), own, progress);
}

async function confirmUnlessLocal({ baseUrl }: Setup, request: string): Promise<void> {
  const { host, hostname } = new URL(baseUrl);
  if (isLoopback(hostname)) return;
  if (!isTerminal()) throw new UsageError(`${host} is another machine, so a write to it needs --yes`);
  const answer = await ask(`${request} at ${host}: send it? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new NotConfirmed('not confirmed: nothing was sent');
}

async function askOtp(name: string): Promise<string> {
  if (!isTerminal()) throw new UsageError(`${name} needs a one-time password: set PARTNER_OTP`);
  return (await ask('One-time password: ')).trim();
}

/** If the program is killed after this, the write can be retried with the idempotency key. */
function tellKey(key: string | undefined, idempotency: 'safe' | 'keyed' | 'unkeyed'): void {
  const why = idempotency === 'safe' ? 'a retry has no second effect' : 'a retry may have a second effect';
  const isTold = tell(key === undefined ? `No Idempotency-Key: ${why}` : `Idempotency-Key: ${key}`);
  if (!isTold && key !== undefined)
    throw new NotConfirmed('standard error is closed, so the idempotency key cannot be shown: nothing was sent');
}

async function printCurl(setup: Setup, planned: PlannedCall): Promise<void> {
  const request = await rehearse(setup, planned);
  const line = curlWords(request).map(shellQuoted).join(' ');
  if (printable(line) !== line) throw new UsageError('--curl cannot show characters that cannot be printed');
  return print(line);
}

async function send(setup: Setup, planned: PlannedCall, { all, include }: Own, progress: Progress): Promise<void> {
  const show = include === undefined ? () => {} : showAnswer;
  const client = new PartnerClient({ ...setup, keyIsShared: true });
  const { method, 'x-pagination': list } = progress.operation ?? {};
  try {
    progress.outcome = method === 'GET' ? 'not_applied' : 'unknown';
    const started = start(client, planned);
    if (all !== undefined) return await printPages(started as PagedList<unknown>, show, progress);
    const page = list === undefined ? undefined : await (started as PagedList<unknown>);
    const { data, response } = page
      ? { data: page, response: page.response }
      : await (started as ApiPromise<unknown>).withResponse();
    progress.outcome = method === 'GET' ? 'not_applied' : 'applied';
    show(response);
    const text = JSON.stringify(data ?? null, null, 2);
    await print(text.split('\n').map(printable).join('\n'));
  } catch (error) {
    show(error);
    throw error;
  } finally {
    await client.close();
  }
}

async function printPages(list: PagedList<unknown>, show: typeof showAnswer, progress: Progress): Promise<void> {
  for await (const page of list.pages()) {
    show(page.response);
    for (const item of page.items) await print(printable(JSON.stringify(item)));
    progress.pageToken = page.nextPageToken;
  }
}

/** Shows attempts, status and headers of a response, or of an error and its response. */
function showAnswer(shown: unknown): void {
  const { attempts, response = shown } = Object(shown);
  const { status, headers = {} } = Object(response);
  if (attempts !== undefined) tell(`attempts: ${JSON.stringify(attempts)}`);
  if (status !== undefined) tell(`status: ${status}`);
  for (const [name, value] of Object.entries(headers)) tell(printable(`${name}: ${value}`));
}

/** Calls the method. It returns a promise, or a list. */
function start(client: PartnerClient, { operation, args }: PlannedCall): unknown {
  const names = operation.split('.');
  const method = names.pop() ?? '';
  const owner = names.reduce<object>((inner, name) => Reflect.get(inner, name) as object, client);
  return Reflect.apply(Reflect.get(owner, method) as () => unknown, owner, args);
}

/**
 * Returns the signed request of a call, and sends nothing. Rejects with the client's error if the
 * input or the set-up is wrong.
 */
async function rehearse(setup: Setup, call: PlannedCall): Promise<CurlRequest> {
  let caught: CurlRequest | undefined;
  const keep: typeof fetch = (url, { method = 'GET', headers, body } = {}) => {
    const text = body === undefined ? undefined : new TextDecoder().decode(body as Uint8Array);
    caught = { method, url: String(url), headers: Object.entries(headers ?? {}), body: text };
    return Promise.resolve(new Response(null, { status: 400 }));
  };
  const client = new PartnerClient({ ...setup, transport: fetchTransport({ fetch: keep }), maxRetries: 0 });
  try {
    await start(client, call);
  } catch (error) {
    if (caught === undefined) throw error;
  } finally {
    await client.close();
  }
  if (caught === undefined) throw new Error(`${call.operation} made no request`);
  return caught;
}
