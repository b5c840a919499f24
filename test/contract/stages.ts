import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { PartnerClient } from '../../src/index.js';
import { createSandbox, type SandboxOptions } from '../../src/sandbox/index.js';
import type { ClientStage, Given, OperationFact, Receiver, Reply, SandboxStage, Send } from './fact.js';
import { IDS, type Ids } from './ids.js';
import { OPERATIONS } from './operations/index.js';
import { SmallService } from './service.js';
import { signRequest } from './signing.js';

/** Runs a check with a client of the small service, which must have found nothing wrong. */
export async function withClient(check: (stage: ClientStage) => unknown): Promise<void> {
  const service = await SmallService.start(OPERATIONS);
  const { url: baseUrl, apiKey, apiSecret } = service;
  const client = new PartnerClient({ baseUrl, apiKey, apiSecret });
  try {
    await check({ client, service });
    expect(service.problems).toEqual([]);
  } finally {
    await client.close();
    await service.close();
  }
}

/** Runs a check with a sandbox that listens on a port. */
export async function withSandbox(
  check: (stage: SandboxStage) => unknown,
  options: SandboxOptions = {},
): Promise<void> {
  const receiver: Receiver = { status: 200, deliveries: [] };
  const deliver = async (request: Request): Promise<Response> => {
    receiver.deliveries.push({ headers: request.headers, body: await request.text() });
    return new Response('ok', { status: receiver.status });
  };
  const sandbox = createSandbox({ seed: 1, deliver, ...options });
  try {
    const { url } = await sandbox.listen();
    const { fixtures, credentials } = sandbox;
    let last = 1_700_000_000_000_000_000n;
    const send: Send = async ({ target, method = 'GET', body, headers, nonce = ++last }) => {
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
      const wanted = {
        'API-Key': credentials.apiKey,
        'API-Nonce': String(nonce),
        'API-Sign': signRequest(credentials.apiSecret, target, String(nonce), text),
        'Content-Type': text === undefined ? undefined : 'application/json',
        ...headers,
      };
      const sent = Object.entries(wanted).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, value]],
      );
      const response = await fetch(`${url}${target}`, { method, headers: sent, body: text ?? null });
      return reply(response);
    };
    const { conversionId: _, ...known } = fixtures;
    await check({ sandbox, send, receiver, ids: { ...IDS, ...known, addressKey: fixtures.withdrawalAddressKey } });
  } finally {
    await sandbox.close();
  }
}

async function reply(response: Response): Promise<Reply> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
}

/** Path and query of a call: a list repeats its parameter, a list of objects has `name[0][member]`. */
export function targetOf({ route }: Pick<OperationFact, 'route'>, { params = {}, query = {} }: Given): string {
  const [, template = ''] = route.split(' ');
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value]
      .flat()
      .flatMap((one: unknown, index): [string, unknown][] =>
        typeof one === 'object' && one !== null
          ? Object.entries(one).map(([member, inner]) => [`${name}[${index}][${member}]`, inner])
          : [[name, one]],
      ),
  );
  const search = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`);
  return search.length === 0 ? path : `${path}?${search.join('&')}`;
}

/** Sends the call of a row to a sandbox. */
export function sendCall(row: OperationFact, { send, ids, sandbox }: SandboxStage): Promise<Reply> {
  const given = row.given(ids);
  const [method = ''] = row.route.split(' ');
  return send({
    target: targetOf(row, given),
    method,
    body: given.body,
    headers: {
      'Idempotency-Key': row.key && randomUUID(),
      'API-Otp': row.otp && sandbox.fixtures.otp,
    },
  });
}

const rowOf = (name: string): OperationFact => {
  const row = OPERATIONS.find((one) => one.name === name);
  if (row === undefined) throw new Error(`there is no row of ${name}`);
  return row;
};

/** Creates in a sandbox what a row needs and a fresh sandbox does not have. */
export async function idsFor(row: OperationFact, stage: SandboxStage): Promise<Ids> {
  const idOf = async (name: string, path: readonly (string | number)[] = ['data', 'id']): Promise<string> => {
    const { json } = await sendCall(rowOf(name), stage);
    return String(path.reduce<unknown>((value, member) => (value as Record<string | number, unknown>)?.[member], json));
  };
  const made: Partial<Record<keyof Ids, () => Promise<string>>> = {
    swapId: () => idOf('accounts.priceTriggerSwaps.create'),
    onchainQuoteId: () => idOf('accounts.onchainQuotes.create'),
    conversionId: () => idOf('accounts.conversions.create'),
    transferId: () => idOf('accounts.transfers.create'),
    webhookId: () => idOf('webhooks.create'),
    reportId: () => idOf('reports.settlement.list', ['data', 0, 'id']),
    depositMethodId: () => idOf('funds.depositMethods.list', ['data', 0, 'id']),
  };
  const ids: Record<string, string> = { ...stage.ids };
  const used = JSON.stringify(row.given(IDS));
  for (const [name, make] of Object.entries(made)) {
    if (used.includes(IDS[name as keyof Ids])) ids[name] = await make();
  }
  return ids as Ids;
}
