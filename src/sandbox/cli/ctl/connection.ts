import { readFileSync } from 'node:fs';
import { type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { text as textOf } from 'node:stream/consumers';
import { isRecord } from '../../../util/options.js';
import { systemCode } from '../../../util/system-error.js';
import { parsedJson } from '../../core/basics/json-forms.js';
import { CONTROL_PREFIX } from '../../serve/control/control-messages.js';
import { Failure, reasonOf } from '../output/failure.js';
import { quoted } from '../output/text.js';

/** The port that the command tries first if none is given. */
export const DEFAULT_PORT = 8420;

const DEFAULT_URL = `http://127.0.0.1:${DEFAULT_PORT}`;

export interface Address {
  readonly url: string;
  /** File with the authority that is trusted. Undefined: the authorities of Node. */
  readonly caFile: string | undefined;
}

/** @throws Failure (2) for a string that is not a URL. */
export function addressIn(environment: NodeJS.ProcessEnv): Address {
  const url = environment['PARTNER_SANDBOX_URL'] || DEFAULT_URL;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new Failure(
      2,
      `PARTNER_SANDBOX_URL must be the address of a sandbox, such as ${DEFAULT_URL}, not ${quoted(url)}`,
    );
  }
  return { url: new URL(url).origin, caFile: environment['PARTNER_CA_FILE'] || undefined };
}

/**
 * Calls a method of a running sandbox and returns its result.
 *
 * @param name For example `clock.advance`.
 * @throws Failure (1) if the sandbox rejects the call or cannot be reached.
 */
export async function callMethod(address: Address, name: string, args: readonly unknown[]): Promise<unknown> {
  const path = CONTROL_PREFIX + name.split(/[./]/).map(encodeURIComponent).join('/');
  const { status, text } = await exchange(address, path, JSON.stringify(args));
  const answer = parsedJson(text);
  if (isRecord(answer) && 'data' in answer) return answer['data'];
  if (isRecord(answer) && isRecord(answer['error']) && typeof answer['error']['message'] === 'string') {
    throw new Failure(1, answer['error']['message']);
  }
  throw new Failure(1, `${address.url} is not a partner-sandbox: it answered ${status} to POST ${path}`);
}

async function exchange({ url, caFile }: Address, path: string, body: string) {
  const options = { method: 'POST', path, headers: { 'content-type': 'application/json' }, agent: false };
  const isSecure = url.startsWith('https:');
  const ca = isSecure && caFile !== undefined ? readAuthority(caFile) : undefined;
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = isSecure ? overHttps(url, { ...options, ca }) : overHttp(url, options);
      sent.on('error', reject).on('response', resolve).end(body);
    });
    return { status: answer.statusCode, text: await textOf(answer) };
  } catch (error) {
    throw unreachable(url, error);
  }
}

function unreachable(url: string, error: unknown): Failure {
  const code = systemCode(error) ?? '';
  if (code === 'ECONNREFUSED') {
    const advice = 'start one with npx partner-sandbox, or set PARTNER_SANDBOX_URL to its address';
    return new Failure(1, `nothing listens on ${url}: ${advice}`);
  }
  const isDistrusted = /CERT|SELF_SIGNED|UNABLE_TO/.test(code);
  const advice = isDistrusted ? '. Set PARTNER_CA_FILE to the file of its certificate authority' : '';
  return new Failure(1, `${url} cannot be reached: ${reasonOf(error)}${advice}`);
}

function readAuthority(name: string): string {
  try {
    return readFileSync(name, 'utf8');
  } catch (error) {
    throw new Failure(1, `the certificate authority cannot be read from ${quoted(name)}: ${reasonOf(error)}`);
  }
}
