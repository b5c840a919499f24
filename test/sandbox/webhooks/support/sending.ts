import { onTestFinished, vi } from 'vitest';
import {
  createSandbox,
  type Deliver,
  type Delivery,
  type Sandbox,
  type SandboxOptions,
} from '../../../../src/sandbox/index.js';

/** A sandbox of one test, which closes it at its end. */
export function sandboxOf(options?: SandboxOptions): Sandbox {
  const sandbox = createSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** A sandbox whose deliveries are taken in process by `deliver`, which answers 204 by default. */
export const inProcess = (
  deliver: Deliver = () => new Response(null, { status: 204 }),
  options: SandboxOptions = {},
): Sandbox => sandboxOf({ ...options, deliver });

/** Where in-process deliveries go: nobody is there. */
export const NOWHERE = 'https://partner.test/webhooks';

/** Makes an event: `deposit.completed`. */
export function deposit(sandbox: Sandbox): void {
  sandbox.accounts.deposit(sandbox.fixtures.accountId, { symbol: 'USD', amount: '0.01' });
}

/** Makes so many events, and waits until the first attempt of each is over. */
export async function sendEvents(sandbox: Sandbox, events = 1): Promise<void> {
  for (let index = 0; index < events; index += 1) deposit(sandbox);
  await sandbox.webhooks.idle();
}

/** Moves the clock, and waits for the answers of what became due. */
export async function pass(sandbox: Sandbox, ms: number): Promise<void> {
  sandbox.advance(ms);
  await sandbox.webhooks.idle();
}

/** The one delivery that there is. */
export function only(sandbox: Sandbox): Delivery {
  const [delivery, ...others] = sandbox.webhooks.listDeliveries();
  if (delivery === undefined || others.length > 0)
    throw new Error(`there are ${sandbox.webhooks.listDeliveries().length} deliveries`);
  return delivery;
}

/** Statuses, or whatever was there instead, of the attempts of the one delivery. */
export const outcomes = (sandbox: Sandbox): (number | string | undefined)[] =>
  only(sandbox).attempts.map(({ status, error }) => status ?? error);

/** A sandbox with so many events for one webhook at this address. */
export function sendingTo(url: string, events: number, options?: SandboxOptions): Sandbox {
  const sandbox = sandboxOf(options);
  sandbox.webhooks.register({ url, events: ['deposit.completed'] });
  for (let index = 0; index < events; index += 1) deposit(sandbox);
  return sandbox;
}

/** Runs with timeouts that only the test moves. */
export async function withStillTimers(run: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await run();
  } finally {
    vi.useRealTimers();
  }
}
