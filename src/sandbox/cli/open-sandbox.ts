import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import type {
  RegisteredWebhook,
  Sandbox,
  SandboxOptions,
  SandboxSnapshot,
  SandboxUserInput,
  SettingsInput,
  TlsIdentity,
} from 'partner-sdk/sandbox';
import { isBase64 } from '../../runtime/bytes.js';
import { nearestName } from '../../util/did-you-mean.js';
import { isRecord } from '../../util/options.js';
import { systemCode } from '../../util/system-error.js';
import { readTextFile } from '../../util/text-file.js';
import { CONTROL_PREFIX } from '../serve/control/control-messages.js';
import { isLoopback } from '../serve/sandbox/host-names.js';
import { DEFAULT_PORT } from './ctl/connection.js';
import { type CommandOptions, SETTABLE } from './flags.js';
import { Failure, reasonOf, wrongOption } from './output/failure.js';
import { quoted } from './output/text.js';
import { notAState, type StateFile } from './state/state-file.js';

/** Makes the sandbox from these options and the file's state, if any. `setUp` does the rest. */
export async function openSandbox(
  { seed, trouble, set = {}, fixtures, still }: CommandOptions,
  file: StateFile | undefined,
  listeners: Pick<SandboxOptions, 'onRequest' | 'onDelivery' | 'onControl'>,
): Promise<Sandbox> {
  // Loaded late, so that a wrong option is reported at once.
  const { createSandbox } = await import('partner-sdk/sandbox');
  const { quota, executionTimes, ...others } = settable(set);
  const options: SandboxOptions = {
    inspect: true,
    explain: true,
    ...others,
    ...listeners,
    realTime: !still,
    settings: { quota, executionTimes },
    troubles: trouble as SandboxOptions['troubles'],
    users: fixtures === undefined ? undefined : usersIn(fixtures),
  };
  const create = (more: SandboxOptions) =>
    checkingOptions(() => creatingUsers(fixtures, () => createSandbox({ ...options, ...more })));
  return file?.content === undefined ? create({ seed }) : restore(file, seed, create);
}

type Settable = SettingsInput & Pick<SandboxOptions, Exclude<(typeof SETTABLE)[number], keyof SettingsInput>>;

/** The sandbox checks the values. */
function settable(set: Readonly<Record<string, unknown>>): Settable {
  const unknown = Object.keys(set).find((name) => !isSettable(name));
  if (unknown === undefined) return set;
  const nearest = nearestName(unknown, SETTABLE);
  const advice = nearest === undefined ? `. Known are ${SETTABLE.join(', ')}` : `: did you mean ${nearest}?`;
  throw wrongOption(`--set: there is no setting ${quoted(unknown)}${advice}`);
}

/**
 * Sets what no option of `createSandbox` can set, at the start and after each reset. Returns the
 * command's webhook.
 *
 * @param saved The webhook in the state from which the sandbox was made.
 */
export function setUp(
  sandbox: Sandbox,
  { still, webhook }: CommandOptions,
  saved: RegisteredWebhook | undefined,
): RegisteredWebhook | undefined {
  // The clock did not move while no process ran.
  if (!still) sandbox.advance(Math.max(0, Date.now() - sandbox.clock.now()));
  return openWebhook(sandbox, webhook, saved);
}

const isSettable = (name: string): boolean => (SETTABLE as readonly string[]).includes(name);

/** Runs `create`. An error about what `--trouble` and `--set` have given names these. */
function checkingOptions(create: () => Sandbox): Sandbox {
  try {
    return create();
  } catch (error) {
    const [, member = '', why] = /^createSandbox: (?:settings\.)?(\w+)(.*)$/s.exec(reasonOf(error)) ?? [];
    if (member === 'troubles') throw wrongOption(`--trouble: ${member}${why}`);
    throw isSettable(member) ? wrongOption(`--set: ${member}${why}`) : error;
  }
}

function restore(
  file: StateFile,
  seed: number | undefined,
  create: (options: { readonly snapshot: SandboxSnapshot }) => Sandbox,
): Sandbox {
  // `create` checks that it is one.
  const snapshot = file.content as SandboxSnapshot;
  let sandbox: Sandbox;
  try {
    sandbox = create({ snapshot });
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw notAState(file.name, reasonOf(error).replace(/^createSandbox: /, ''));
  }
  if (seed === undefined || seed === snapshot.seed) return sandbox;
  const advice = 'leave out --seed, or choose another file';
  throw new Failure(1, `${quoted(file.name)} has the seed ${snapshot.seed}, not ${seed}: ${advice}`);
}

/** A wildcard means all addresses of the machine. Programs on it use the loopback address. */
const WILDCARDS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

interface Address {
  /** URL for programs on this machine. */
  readonly url: string;
  /** URL of the page. */
  readonly inspector: string;
  /** True if programs on other machines can reach it, too. */
  readonly isPublic: boolean;
}

/** Listens on the given port, or else on the default port or any free one. */
export async function listen(sandbox: Sandbox, options: CommandOptions): Promise<Address> {
  const { host } = options;
  const tls = readIdentity(options);
  const port = await listenOn(sandbox, options, tls, options.port);
  const name = WILDCARDS[host] ?? host;
  const url = `${tls === undefined ? 'http' : 'https'}://${isIPv6(name) ? `[${name}]` : name}:${port}`;
  return { url, inspector: url + CONTROL_PREFIX, isPublic: !isLoopback(host) };
}

async function listenOn(
  sandbox: Sandbox,
  options: CommandOptions,
  tls: TlsIdentity | undefined,
  wanted: number | undefined,
): Promise<number> {
  const { host, 'allow-host': allowedHosts } = options;
  const port = wanted ?? DEFAULT_PORT;
  try {
    const { port: taken } = await sandbox.listen({ port, host, allowedHosts, tls });
    return taken;
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw new Failure(1, reasonOf(error).replace(/^listen: tls\./, '--tls-'));
    if (code !== 'EADDRINUSE') throw new Failure(1, `${reasonOf(error)}. Choose another --host or --port`);
    if (wanted === undefined) return listenOn(sandbox, options, tls, 0);
    throw new Failure(1, `port ${port} of ${host} is in use: choose another, or any free one with --port 0`);
  }
}

/** Reads the files of `--tls-key` and `--tls-cert`. Undefined without them. */
function readIdentity({ 'tls-key': key, 'tls-cert': cert }: CommandOptions): TlsIdentity | undefined {
  if (key === undefined && cert === undefined) return undefined;
  if (key === undefined || cert === undefined) throw wrongOption('--tls-key and --tls-cert must be set together');
  return { key: readPem('tls-key', key), cert: readPem('tls-cert', cert) };
}

function readPem(option: string, name: string): string {
  try {
    return readFileSync(name, 'utf8');
  } catch (error) {
    throw new Failure(1, `--${option} cannot be read from ${quoted(name)}: ${reasonOf(error)}`);
  }
}

/**
 * Returns the users of a file: `{"users": […]}`, or only the list. `createSandbox` checks them.
 *
 * @throws Failure (1) for a file that cannot be read, or is not JSON.
 */
function usersIn(name: string): readonly SandboxUserInput[] {
  let content: unknown;
  try {
    content = JSON.parse(readTextFile(name));
  } catch (error) {
    // The error of `JSON.parse` would quote the text.
    throw notFixtures(name, error instanceof SyntaxError ? 'the file is not JSON' : reasonOf(error));
  }
  if (!isRecord(content)) return content as unknown as readonly SandboxUserInput[];
  const [unknown] = Object.keys(content).filter((member) => member !== 'users');
  if (unknown !== undefined) throw notFixtures(name, `${quoted(unknown)} is not known: the file has only "users"`);
  if (content['users'] === undefined) throw notFixtures(name, 'the file has no "users"');
  return content['users'] as readonly SandboxUserInput[];
}

/** Runs `create`. Adds the name of the file to an error about users. */
function creatingUsers<T>(name: string | undefined, create: () => T): T {
  try {
    return create();
  } catch (error) {
    const [, reason] = /^createSandbox: (users\b.*)$/s.exec(reasonOf(error)) ?? [];
    if (name === undefined || reason === undefined) throw error;
    throw notFixtures(name, reason);
  }
}

function notFixtures(name: string, reason: string): Failure {
  return new Failure(1, `the users cannot be read from ${quoted(name)}: ${reason}`);
}

/** Member of the state file for the webhook, because a sandbox shows a signing secret only once. */
const MEMBER = 'commandWebhook';

/** Returns the webhook that `webhookMember` stored in a state file, undefined for other content. */
export function savedWebhook(content: unknown): RegisteredWebhook | undefined {
  const found = isRecord(content) ? content[MEMBER] : undefined;
  if (!isRecord(found)) return undefined;
  const { id, url, signing_secret: secret } = found;
  const isWebhook = typeof id === 'string' && typeof url === 'string' && typeof secret === 'string' && isBase64(secret);
  return isWebhook ? (found as unknown as RegisteredWebhook) : undefined;
}

/** Returns the members of a state file besides the sandbox's snapshot. */
export function webhookMember(webhook: RegisteredWebhook | undefined): object {
  return webhook === undefined ? {} : { [MEMBER]: webhook };
}

/** Returns the command's webhook: the one of an earlier run if it still exists, or a new one. */
function openWebhook(
  sandbox: Sandbox,
  url: string | undefined,
  saved: RegisteredWebhook | undefined,
): RegisteredWebhook | undefined {
  if (saved !== undefined) {
    try {
      return { ...saved, ...sandbox.webhooks.update(saved.id, { url: url ?? saved.url }) };
    } catch {
      // It was removed.
    }
  }
  return url === undefined ? undefined : sandbox.webhooks.register({ url });
}
