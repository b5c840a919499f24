import { inColumns } from '../../../util/columns.js';
import { isRecord } from '../../../util/options.js';
import { printable } from '../../../util/printable.js';
import { systemCode } from '../../../util/system-error.js';
import { readDocument } from '../../serve/control/documents.js';
import { Failure } from '../output/failure.js';
import { Output } from '../output/output.js';
import { callMethod, optionsOf } from './call.js';
import { allowOptions, type CommandLine, OWN, readCommandLine, usageError } from './command-line.js';
import { Connection } from './connection.js';
import { checkedRequest, curlLine, nextNonce } from './curl-line.js';
import { exportLines, LANGUAGES, type Variable } from './export-lines.js';
import { CONTROL_DOCUMENT, Routes } from './routes.js';
import { tail } from './tail.js';
import { argumentSchemas, meantBy } from './values.js';

interface Context {
  readonly connection: Connection;
  readonly line: CommandLine;
  readonly output: Output;
  readonly report: (problem: string) => void;
}

interface Command {
  readonly usage: string;
  readonly help: string;
  /** Returns the value to print: text is printed unchanged, undefined not at all. */
  readonly run: (context: Context) => Promise<unknown>;
}

/** Commands with code of their own. Any other command is the name of a method. */
const COMMANDS: Readonly<Record<string, Command>> = {
  advance: {
    usage: 'advance <ms>',
    help: 'moves the clock on: advance 1h, advance 30s --deliver',
    run: ({ connection, line: { plain, options } }) =>
      callMethod(connection, { plain: ['clock.advance', ...plain.slice(1)], options }),
  },
  fail: {
    usage: 'fail [operation] <fault>',
    help: 'makes requests go wrong: fail quotes.get 503 --times 2 --for 5m',
    run: addFault,
  },
  tail: {
    usage: 'tail',
    help: 'shows what happens: tail --verdict bad_signature, --operation …, --kind request,delivery',
    run: ({ connection, line, output, report }) => tail(connection, line, output, report),
  },
  curl: {
    usage: 'curl <METHOD> <path> [body]',
    help: 'prints a signed line for a shell, which is good once: curl GET /v1/webhooks',
    run: printCurl,
  },
  env: {
    usage: 'env',
    help: `prints address and credentials: ${LANGUAGES.map((language) => `--${language}`).join(', ')}`,
    run: printVariables,
  },
  call: {
    usage: 'call <method> [arguments]',
    help: 'calls a method that the sandbox does not describe: call prices.set BTC 60000',
    run: callUndescribed,
  },
};

/**
 * Runs `partner-sandbox ctl`, which drives a running sandbox. Returns when everything is printed.
 *
 * @throws Failure: 2 for a wrong command line, 1 for a call that the sandbox refuses.
 */
export async function control(
  given: readonly string[],
  environment: NodeJS.ProcessEnv,
  report: (problem: string) => void,
): Promise<void> {
  const line = readCommandLine(given);
  const [name] = line.plain;
  if (line.options.has('help') || name === 'help') {
    console.log(helpText());
    return;
  }
  if (name === undefined) throw usageError('ctl needs to know what to do');
  const output = new Output(process.stdout);
  output.begin();
  const connection = new Connection(line, environment);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const run = command?.run ?? (() => callMethod(connection, line, Object.keys(COMMANDS)));
  const ended = await Promise.race([
    run({ connection, line, output, report }).then((result) => ({ result })),
    output.broken,
    interrupted(),
  ]);
  if (ended instanceof Error && systemCode(ended) !== 'EPIPE') {
    throw new Failure(1, `the output cannot be written: ${ended.message}`);
  }
  if (isRecord(ended) && 'result' in ended) printResult(output, ended['result'], line.options.has('json'));
  await output.flushed();
  process.exit();
}

function interrupted(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve(undefined));
  });
}

function printResult(output: Output, result: unknown, isJson: boolean): void {
  if (result === undefined) return;
  if (isJson) output.write(printable(JSON.stringify(result)));
  else if (typeof result === 'string') output.write(result.split('\n').map(printable).join('\n'));
  else if (result !== null) output.write(JSON.stringify(result, null, 2).split('\n').map(printable).join('\n'));
}

async function addFault({ connection, line }: Context): Promise<unknown> {
  const [, ...plain] = line.plain;
  const [operation, fault] = plain.length > 1 ? plain : [undefined, plain[0]];
  if (fault === undefined || plain.length > 2)
    throw usageError('fail takes an operation and a fault: fail quotes.get 503');
  const document = await connection.document(CONTROL_DOCUMENT);
  const [schema] = argumentSchemas(document, 'faults/add');
  const more = [...line.options].filter(([name]) => !OWN.includes(name));
  const options = optionsOf(more, document, schema);
  return connection.ask('POST', 'faults/add', [{ operation, fault: meantBy(fault, undefined, undefined), ...options }]);
}

async function callUndescribed({ connection, line: { plain, options } }: Context): Promise<unknown> {
  if (plain.length === 1) throw usageError('call needs the name of a method, for instance prices.set');
  return callMethod(connection, { plain: plain.slice(1), options });
}

async function printCurl({ connection, line }: Context): Promise<string> {
  allowOptions(line, []);
  const request = checkedRequest(line.plain.slice(1));
  const credentials = await credentialsOf(connection);
  const nonce = nextNonce(await lastNonce(connection, credentials.apiKey));
  return curlLine(connection.url, request, credentials, nonce, connection.caFile);
}

async function lastNonce(connection: Connection, apiKey: string): Promise<bigint> {
  const key = await connection.ask('GET', `keys/${apiKey}`);
  const last = isRecord(key) && isRecord(key['lastNonce']) ? key['lastNonce']['nonce'] : undefined;
  return typeof last === 'string' && /^\d+$/.test(last) ? BigInt(last) : 0n;
}

async function printVariables({ connection, line }: Context): Promise<string> {
  allowOptions(line, LANGUAGES);
  const [language = 'sh', ...more] = LANGUAGES.filter((name) => line.options.has(name));
  if (more.length > 0 || line.plain.length > 1) throw usageError('env takes one language: env --python');
  const { apiKey, apiSecret } = await credentialsOf(connection);
  const variables: Variable[] = [
    ['PARTNER_BASE_URL', connection.url],
    ['PARTNER_API_KEY', apiKey],
    ['PARTNER_API_SECRET', apiSecret],
    ['PARTNER_SANDBOX_URL', connection.address],
  ];
  if (connection.caFile !== undefined) variables.push(['PARTNER_CA_FILE', connection.caFile]);
  return exportLines(language, variables);
}

async function credentialsOf(connection: Connection): Promise<{ readonly apiKey: string; readonly apiSecret: string }> {
  const found = await connection.ask('GET', 'credentials');
  const { apiKey, apiSecret } = isRecord(found) ? found : {};
  if (typeof apiKey === 'string' && typeof apiSecret === 'string') return { apiKey, apiSecret };
  throw new Failure(1, `${connection.url} has no credentials`);
}

/** Maximum line length in characters for the list of names; longer lines are wrapped. */
const WIDTH = 100;

function helpText(): string {
  const rows = Object.values(COMMANDS).map(({ usage, help }) => [usage, help] as const);
  const lines = [''];
  const routes = new Routes(JSON.parse(readDocument(CONTROL_DOCUMENT)));
  for (const name of routes.names()) {
    const line = lines.at(-1) ?? '';
    if (line.length + name.length > WIDTH) lines.push(`  ${name}`);
    else lines[lines.length - 1] = `${line}  ${name}`;
  }
  return `Drives a partner-sandbox that runs.

Usage: npx partner-sandbox ctl <command> [options]

${inColumns(rows)}

Every method of the sandbox has its own name. Its arguments follow; options are members of the last one:
  ctl quotes.expire <id> · ctl reset · ctl webhooks.register '{"url": "http://127.0.0.1:3000/"}' · ctl fixtures
  ctl webhooks.trigger quote.executed · ctl scenarios.start maintenance --for 10m · ctl requests.list --limit 5
${lines.join('\n')}

Times are 500ms, 30s, 5m, 1h, 1d. What begins with { or [ is JSON; @file and - read it from a file or standard input.

  --url <url>   the sandbox; by default PARTNER_SANDBOX_URL, or http://127.0.0.1:8420
  --ca <file>   the authority to trust; by default PARTNER_CA_FILE
  --json        one line of JSON for each result

Exit codes: 0 done, 1 refused or not reached, 2 wrong usage.`;
}
