import { readFileSync } from 'node:fs';
import { type IncomingMessage, request as overHttp, type RequestOptions } from 'node:http';
import { request as overHttps } from 'node:https';
import { isRecord } from '../../../util/options.js';
import { systemCode } from '../../../util/system-error.js';
import { CONTROL_PREFIX } from '../../serve/control/control-messages.js';
import { Failure, reasonOf } from '../output/failure.js';
import { quoted } from '../output/text.js';
import { type CommandLine, textOption, usageError } from './command-line.js';

const DEFAULT_URL = 'http://127.0.0.1:8420';

/** No path, the control plane, or the control plane of a world. */
const KNOWN_PATH = /^(?:\/_sandbox(?:\/worlds\/[^/]+)?)?\/?$/;

/** A connection to a running sandbox, or to a world in it. */
export class Connection {
  /** Origin of the sandbox, which is the base URL of the API. */
  readonly url: string;
  /** URL for further commands; for a world it includes the world's path. */
  readonly address: string;
  /** File with the trusted authority; undefined: the authorities of Node. */
  readonly caFile: string | undefined;
  readonly #ca: string | undefined;
  readonly #prefix: string;

  /** @throws Failure for an invalid URL, and for an authority file that cannot be read. */
  constructor(line: CommandLine, environment: NodeJS.ProcessEnv) {
    const url = textOption(line, 'url') ?? (environment['PARTNER_SANDBOX_URL'] || DEFAULT_URL);
    if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
      throw usageError(`${quoted(url)} is no address of a sandbox, such as ${DEFAULT_URL}`);
    }
    const { origin, pathname } = new URL(url);
    if (!KNOWN_PATH.test(pathname)) {
      throw usageError(
        `--url is the address of the sandbox or of a world, and has no other path. A member "url" goes into JSON: '{"url": …}'`,
      );
    }
    const isWorld = pathname.startsWith(`${CONTROL_PREFIX}worlds/`);
    this.url = origin;
    this.address = isWorld ? origin + pathname.replace(/\/$/, '') : origin;
    this.#prefix = isWorld ? pathname.replace(/\/?$/, '/') : CONTROL_PREFIX;
    this.caFile = textOption(line, 'ca') ?? (environment['PARTNER_CA_FILE'] || undefined);
    this.#ca = this.caFile === undefined ? undefined : readAuthority(this.caFile);
  }

  /**
   * Sends a request to the control plane and returns `data` of its answer.
   *
   * @throws Failure (1) with the reason, if it is refused.
   */
  async ask(method: string, path: string, args?: readonly unknown[]): Promise<unknown> {
    const { status, text } = await this.#exchange(method, path, args);
    const answer = parsed(text);
    if (isRecord(answer) && 'data' in answer) return answer['data'];
    if (isRecord(answer) && isRecord(answer['error']) && typeof answer['error']['message'] === 'string') {
      throw new Failure(1, answer['error']['message']);
    }
    throw new Failure(1, `${this.url} is no partner-sandbox: it answered ${status} to ${this.#prefix}${path}`);
  }

  /** Returns a JSON document, which has no `data` around it; undefined if there is none. */
  async document(path: string): Promise<unknown> {
    const { status, text } = await this.#exchange('GET', path);
    return status === 200 ? parsed(text) : undefined;
  }

  /** Opens a stream. Rejects with a `Failure` if there is none. */
  async open(path: string): Promise<IncomingMessage> {
    const answer = await this.#send({ method: 'GET', path: this.#prefix + path });
    if (answer.statusCode === 200) return answer;
    const refusal = parsed(await textOf(answer));
    const error = isRecord(refusal) && isRecord(refusal['error']) ? refusal['error']['message'] : undefined;
    throw new Failure(1, typeof error === 'string' ? error : `${this.url} answered ${answer.statusCode}`);
  }

  async #exchange(
    method: string,
    path: string,
    args?: readonly unknown[],
  ): Promise<{ readonly status: number | undefined; readonly text: string }> {
    const body = args === undefined ? undefined : JSON.stringify(args);
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await this.#send({ method, path: this.#prefix + path, headers }, body);
    return { status: answer.statusCode, text: await textOf(answer) };
  }

  #send(options: RequestOptions, body?: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => reject(this.#unreachable(error));
      const settings = { ...options, agent: false };
      const sent = this.url.startsWith('https:')
        ? overHttps(this.url, { ...settings, ca: this.#ca })
        : overHttp(this.url, settings);
      sent.on('error', fail).on('response', resolve).end(body);
    });
  }

  #unreachable(error: Error): Failure {
    const code = systemCode(error) ?? '';
    if (code === 'ECONNREFUSED') {
      const advice = 'start one with npx partner-sandbox, or name it with --url or PARTNER_SANDBOX_URL';
      return new Failure(1, `nothing listens on ${this.url}: ${advice}`);
    }
    const advice = /CERT|SELF_SIGNED|UNABLE_TO/.test(code) ? '. Name the file of its authority with --ca' : '';
    return new Failure(1, `${this.url} cannot be reached: ${reasonOf(error)}${advice}`);
  }
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  try {
    for await (const piece of answer.setEncoding('utf8')) text += piece;
  } catch (error) {
    throw new Failure(1, `the answer of the sandbox has broken off: ${reasonOf(error)}`);
  }
  return text;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readAuthority(name: string): string {
  try {
    return readFileSync(name, 'utf8');
  } catch (error) {
    throw new Failure(1, `the authority cannot be read from ${quoted(name)}: ${reasonOf(error)}`);
  }
}
