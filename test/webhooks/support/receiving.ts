import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, vi } from 'vitest';
import {
  nodeWebhookHandler,
  signWebhook,
  type WebhookEvent,
  type WebhookHandlerOptions,
  type WebhookHandling,
  type WebhookRejection,
  webhookHandler,
} from '../../../src/webhooks/index.js';

export const SECRET = Buffer.from('a signing secret').toString('base64');

/** What a sender reads of an answer. */
export interface Answered {
  readonly status: number;
  readonly word: string;
}

/** Sends one request to an endpoint. */
export type Send = (request: { method?: string; body?: string; headers?: Record<string, string> }) => Promise<Answered>;

/** An endpoint of either style, and what its program was told. */
export interface Endpoint {
  readonly send: Send;
  /** Sends a rightly signed event. As the service does, it signs each delivery anew, a second after the last. */
  readonly deliver: (event: object, headers?: Record<string, string>) => Promise<Answered>;
  readonly handled: WebhookEvent[];
  readonly rejected: WebhookRejection[];
  readonly failures: { readonly error: unknown; readonly event: WebhookEvent | undefined }[];
}

export type Options = Partial<Omit<WebhookHandlerOptions, 'secret' | 'secrets'>>;
type Style = (options: WebhookHandlerOptions, use: (send: Send) => Promise<void>) => Promise<void>;

/** The handler called with requests, as a fetch-style server does. */
const fetchStyle: Style = async (options, use) => {
  const handler = webhookHandler(options);
  await use(async ({ method = 'POST', body = '', headers = {} }) => {
    const init = method === 'POST' ? { method, body, headers } : { method, headers };
    const response = await handler(new Request('https://partner.test/webhooks', init));
    return { status: response.status, word: await response.text() };
  });
};

/** The handler behind a server of `node:http`. */
const nodeStyle: Style = async (options, use) => {
  const handler = nodeWebhookHandler(options);
  const server = createServer((request, response) => void handler(request, response));
  await listening(server, async (url) => {
    await use(async ({ method = 'POST', body = '', headers = {} }) => {
      const response = await fetch(url, method === 'POST' ? { method, body, headers } : { method, headers });
      return { status: response.status, word: await response.text() };
    });
  });
};

export const STYLES = [
  ['webhookHandler', fetchStyle],
  ['nodeWebhookHandler', nodeStyle],
] as const;

/** Runs with a server that listens, and closes it whatever happens. */
export async function listening(server: Server, use: (url: string) => Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`);
  } finally {
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  }
}

/** Runs with an endpoint whose program writes down everything that it is told. */
export async function endpoint(
  style: Style,
  options: Options,
  use: (endpoint: Endpoint) => Promise<void>,
): Promise<void> {
  const handled: WebhookEvent[] = [];
  const rejected: WebhookRejection[] = [];
  const failures: Endpoint['failures'] = [];
  const { onEvent } = options;
  const recording: Pick<WebhookHandling, 'onEvent'> = {
    onEvent: (event) => {
      handled.push(event);
      return onEvent?.(event);
    },
  };
  const all = {
    onRejected: (rejection: WebhookRejection) => void rejected.push(rejection),
    onError: (error: unknown, event: WebhookEvent | undefined) => void failures.push({ error, event }),
    ...options,
    ...recording,
    secret: SECRET,
  };
  let timestamp = Math.floor(Date.now() / 1000) - 100;
  await style(all, async (send) => {
    const deliver: Endpoint['deliver'] = (event, headers = {}) => {
      const body = JSON.stringify(event);
      return send({
        body,
        headers: { ...signWebhook({ body, secret: SECRET, timestampSeconds: timestamp++ }), ...headers },
      });
    };
    await use({ send, deliver, handled, rejected, failures });
  });
}

/** What a program writes down of the deliveries that a handler is given, with the options that write it down. */
export function recording(more: Options = {}) {
  const [handled, rejected, errors]: [string[], WebhookRejection[], unknown[]] = [[], [], []];
  const options: WebhookHandlerOptions = {
    secret: SECRET,
    onEvent: ({ id }) => void handled.push(String(id)),
    onRejected: (rejection) => rejected.push(rejection),
    onError: (error) => errors.push(error),
    ...more,
  };
  return { options, handled, rejected, errors };
}

/** Both ways in which a function of the program fails. */
export const failuresOf = (message: string) =>
  [
    ['throws', throwing(new Error(message))],
    ['rejects', () => Promise.reject(new Error(message))],
  ] as const;

export const throwing = (error: unknown) => (): never => {
  throw error;
};

/** The time so many seconds from now, as it is signed. */
export const seconds = (offset: number): number => Math.floor(Date.now() / 1000) + offset;

export const OK: Answered = { status: 200, word: 'ok' };
export const FAILED: Answered = { status: 500, word: 'failed' };

/** An executed quote, as the service would tell it. */
export const executed = (id?: string) => ({
  ...(id === undefined ? {} : { id }),
  type: 'quote.executed',
  data: { id: 'q-1' },
});

/**
 * Replaces `Date.now` for the code that verifies deliveries, and counts its calls: two for each delivery, at its head and
 * when it is proven. From the second one up to the guard nothing takes time. Undone by `vi.restoreAllMocks()`.
 */
export function verificationClock(now = Date.now): { asked: number } {
  const clock = { asked: 0 };
  const machine = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => {
    if (!new Error().stack?.includes('/src/webhooks/verify.ts')) return machine();
    clock.asked++;
    return now();
  });
  return clock;
}

/** A whole way there and back. An answer that was given before it set out has come by then. */
export async function roundTrip(send: Send): Promise<void> {
  expect(await send({ body: 'no delivery' })).toEqual({ status: 400, word: 'missing_header' });
}
