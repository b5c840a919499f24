import {
  createSandbox,
  type Deliver,
  type Delivery,
  type Sandbox,
  type SandboxOptions,
} from '../../../../src/sandbox/index.js';

/** A sandbox whose deliveries are taken in process by `deliver`, which answers 204 by default. */
export function inProcess(deliver: Deliver = () => new Response(null, { status: 204 }), options: SandboxOptions = {}) {
  return createSandbox({ ...options, deliver });
}

/** Where in-process deliveries go: nobody is there. */
export const NOWHERE = 'https://partner.test/webhooks';

/** Makes an event: `deposit.completed`. */
export function deposit(sandbox: Sandbox): void {
  sandbox.accounts.deposit(sandbox.fixtures.accountId, { symbol: 'USD', amount: '0.01' });
}

/** Moves the clock, and waits for the answers of what became due. */
export async function pass(sandbox: Sandbox, ms: number): Promise<void> {
  sandbox.advance(ms);
  await sandbox.webhooks.idle();
}

/** The one delivery that there is. */
export function only(sandbox: Sandbox): Delivery {
  const [delivery, ...others] = sandbox.webhooks.deliveries;
  if (delivery === undefined || others.length > 0)
    throw new Error(`there are ${sandbox.webhooks.deliveries.length} deliveries`);
  return delivery;
}

/** Statuses, or whatever was there instead, of the attempts of the one delivery. */
export const outcomes = (sandbox: Sandbox): (number | string | undefined)[] =>
  only(sandbox).attempts.map(({ status, error }) => status ?? error);
