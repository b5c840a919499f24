import {
  ApiError,
  ConfigurationError,
  ConnectionError,
  isApiError,
  isPartnerError,
  PartnerClient,
  ResponseValidationError,
} from 'partner-sdk';
import { systemCode } from '../../util/system-error.js';
import { credentialFindings, isSecretInKey } from './credentials.js';
import { clockFinding, edgeFinding, tlsFinding } from './edge.js';
import { type Finding, finding } from './finding.js';

export interface ServiceCheck {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Undefined: webhooks are listed instead of reading a user. */
  readonly userId: string | undefined;
  /** Time in ms for the signed read. */
  readonly timeout: number;
}

/** Sends one signed read, and reports what is known about it. It never rejects. */
export async function serviceFindings(check: ServiceCheck): Promise<Finding[]> {
  const form = credentialFindings(check.apiKey, check.apiSecret);
  // The secret would go to the service as a header, and into its logs.
  if (isSecretInKey(check.apiKey, check.apiSecret)) return [...form, finding('read', 'fact', 'nothing was sent')];
  let client: PartnerClient;
  try {
    const { baseUrl, apiKey, apiSecret, timeout } = check;
    client = new PartnerClient({ baseUrl, apiKey, apiSecret, timeout, maxRetries: 0 });
  } catch (error) {
    return [...form, finding('options', 'problem', reasonOf(error))];
  }
  const tls = await tlsFinding(new URL(check.baseUrl));
  try {
    return [...form, tls, ...(await readFindings(client, check, form))];
  } finally {
    await client.close();
  }
}

async function readFindings(client: PartnerClient, check: ServiceCheck, form: readonly Finding[]): Promise<Finding[]> {
  const began = Date.now();
  let headers: Readonly<Record<string, string>> | undefined;
  let read: Finding[];
  try {
    headers = await signedRead(client, check.userId);
    read = [finding('read', 'ok', 'the service accepted API key, signature and nonce')];
  } catch (error) {
    if (error instanceof ApiError) headers = error.response.headers;
    read = failure(error, check, form);
  }
  const way = client.stats().lanes[0]?.way;
  const found = [...read, nonceFinding(began)];
  if (way !== undefined) found.push(finding('http', 'fact', way === 'http2' ? 'HTTP/2' : 'HTTP/1.1'));
  if (headers === undefined) return found;
  const clock = clockFinding(headers['date'], (began + Date.now()) / 2);
  return [...found, clock, edgeFinding(headers)];
}

async function signedRead(client: PartnerClient, userId: string | undefined) {
  if (userId === undefined) return (await client.webhooks.list({ page_size: 1 })).response.headers;
  return (await client.users.get(userId).withResponse()).response.headers;
}

function nonceFinding(now: number): Finding {
  const nonce = String(BigInt(now) * 1_000_000n);
  return finding('nonce', 'fact', `nanoseconds since 1970, ${nonce.length} digits: ${nonce.slice(0, 4)}…`);
}

function failure(error: unknown, check: ServiceCheck, form: readonly Finding[]): Finding[] {
  if (error instanceof ApiError && isGateway(error)) return [finding('read', 'problem', gatewayText(error))];
  if (isApiError(error)) return apiFailure(error, check, form);
  if (error instanceof ResponseValidationError) {
    return [finding('read', 'problem', `${reasonOf(error)}: a proxy or another server may respond at this URL`)];
  }
  if (!isPartnerError(error)) return [finding('read', 'problem', 'it failed in a way that the SDK does not know')];
  const scheme = isLostOverHttp(error, check) ? ': if this port speaks TLS, the base URL must begin with https' : '';
  return [finding('read', 'problem', `${error.name}: ${reasonOf(error)}${scheme}`)];
}

/** True for a connection that was opened for plain http, and then broke. */
const isLostOverHttp = (error: Error, { baseUrl }: ServiceCheck): boolean =>
  error instanceof ConnectionError && new URL(baseUrl).protocol === 'http:' && error.code === 'UND_ERR_SOCKET';

/** True for a response that does not come from the service. */
const isGateway = ({ code, response }: ApiError): boolean =>
  code === '' || /text\/html/.test(response.headers['content-type'] ?? '');

function gatewayText({ response: { status, headers } }: ApiError): string {
  const kind = headers['content-type']?.split(';')[0] ?? 'no content type';
  return `${status} with ${kind}, not from the service: a proxy, a firewall or another server responds at this URL`;
}

function apiFailure(error: ApiError, check: ServiceCheck, form: readonly Finding[]): Finding[] {
  const causes = error.causes.map(({ field, message }) => `${field ?? 'request'} ${message ?? ''}`.trim());
  const { status } = error.response;
  const told = `${status} ${error.code}${causes.length > 0 ? `: ${causes.join('; ')}` : ''}`;
  if (status === 401) return [finding('read', 'problem', told), ...explanations(error, form)];
  if (status === 404) return [notFound(told, check)];
  if (status === 403)
    return [finding('read', 'problem', `${told}: the API key may not do this, or its address is not allowed`)];
  return [finding('read', 'problem', told)];
}

/** The service verifies the signature first, so even a 404 shows that the signature is right. */
function notFound(told: string, { baseUrl, userId }: ServiceCheck): Finding {
  const { origin, pathname } = new URL(baseUrl);
  if (pathname !== '/') {
    return finding('read', 'problem', `${told}: the base URL has a path; ${origin} alone is usual, without a version`);
  }
  if (userId === undefined) return finding('read', 'problem', `${told}: the API is not at this base URL`);
  return finding('read', 'warning', `${told}: API key and signature were accepted, and the user is unknown`);
}

const OF_401: readonly (readonly [about: RegExp, text: string])[] = [
  [
    /nonce/i,
    "the API key was used with a higher nonce: by another machine, by a program with a smaller unit, or while this machine's clock was ahead. Wait until the clock has passed it, or take a new API key for this program alone",
  ],
  [/sign/i, 'the secret is not that of this API key, or belongs to another environment'],
  [
    /key/i,
    'the service does not know this API key: it has been revoked, or belongs to another environment than the base URL',
  ],
];

/** Possible reasons of a 401, the likeliest first. */
function explanations(error: ApiError, form: readonly Finding[]): Finding[] {
  if (form.some(({ level }) => level === 'problem')) {
    return [finding('401', 'problem', 'the form of API key or secret explains it: see above')];
  }
  const told = `${error.code} ${error.causes.map(({ field }) => field ?? '').join(' ')}`;
  const known = OF_401.filter(([about]) => about.test(told));
  return (known.length > 0 ? known : [...OF_401].reverse()).map(([, text]) => finding('401', 'problem', text));
}

/** Messages of the SDK name no secret. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const isOfCall = isPartnerError(error) && !(error instanceof ConfigurationError);
  const cause = isOfCall ? systemCode(error.cause) : undefined;
  return cause === undefined || text.includes(cause) ? text : `${text} (${cause})`;
}
