import { afterEach, expect, it, vi } from 'vitest';
import { type ReplayGuard, signWebhook, type WebhookHandlerOptions, webhookHandler } from '../../src/webhooks/index.js';
import { executed, SECRET } from './support/receiving.js';

// Each text is shown once in a process, so each test here fails in its own way.

afterEach(() => {
  vi.restoreAllMocks();
});

type Options = Partial<Omit<WebhookHandlerOptions, 'secret' | 'secrets'>>;

async function statusAndWarnings(options: Options, times: number): Promise<{ statuses: number[]; warnings: string[] }> {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  const handler = webhookHandler({ secret: SECRET, onEvent: () => {}, ...options });
  const statuses: number[] = [];
  for (let index = 0; index < times; index++) {
    const body = JSON.stringify(executed(`evt_${index}`));
    const init = { method: 'POST', body, headers: signWebhook({ body, secret: SECRET }) };
    statuses.push((await handler(new Request('https://partner.test', init))).status);
  }
  return { statuses, warnings: warn.mock.calls.map(([text, details]) => `${text} ${JSON.stringify(details)}`) };
}

it('a handler that fails is warned of once when nobody listens, without its error', async () => {
  const onEvent = () => {
    throw new Error('password hunter2 was wrong');
  };
  const { statuses, warnings } = await statusAndWarnings({ onEvent }, 3);
  expect(statuses).toEqual([500, 500, 500]);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatch(/function that handles an event failed.*500.*onError.*PARTNER_SDK_WEBHOOK/);
  expect(warnings[0]).not.toContain('hunter2');
});

it('a guard that is used wrongly is warned of once with what is wrong', async () => {
  const guard: ReplayGuard = { seen: () => 'OK' as never, forget: () => {} };
  const { statuses, warnings } = await statusAndWarnings({ guard }, 2);
  expect(statuses).toEqual([500, 500]);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatch(/replay guard.*true.*false/);
});

it('nobody is warned when onError listens', async () => {
  const errors: unknown[] = [];
  const guard: ReplayGuard = {
    seen: () => {
      throw new Error('no Redis');
    },
  };
  const { warnings } = await statusAndWarnings({ guard, onError: (error) => errors.push(error) }, 1);
  expect(warnings).toEqual([]);
  expect(errors).toHaveLength(2);
});

it('nobody is warned of what senders do', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  const handler = webhookHandler({ secret: SECRET, onEvent: () => {} });
  expect((await handler(new Request('https://partner.test', { method: 'POST', body: '{}' }))).status).toBe(400);
  expect(warn).not.toHaveBeenCalled();
});
