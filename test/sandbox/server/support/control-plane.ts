import { beforeAll, beforeEach } from 'vitest';
import type { ControlCall, Sandbox } from '../../../../src/sandbox/index.js';
import { askControl, type Partner, sharedSandbox } from '../../support/partner.js';

export const NOWHERE = 'http://127.0.0.1:9/nobody';

/** Those of the file that calls `shareControlPlane`. */
export let partner: Partner;
export let sandbox: Sandbox;
/** The calls of the control plane in the present test. */
export const calls: ControlCall[] = [];

/** Lets the tests of a file share one sandbox, which is reset before each. */
export function shareControlPlane(): void {
  beforeAll(async () => {
    partner = await sharedSandbox({ onControl: (call) => calls.push(call) });
    sandbox = partner.sandbox;
  });
  beforeEach(() => {
    calls.length = 0;
    sandbox.reset();
  });
}

export const send = (method: string, path: string, args?: readonly unknown[]) =>
  askControl(partner, `${method} ${path}`, args);
export const read = (path: string) => send('GET', path);
export const call = (path: string, ...args: readonly unknown[]) => send('POST', path, args);

export const TO_BANK = {
  from: { type: 'balance', symbol: 'USD', amount: '25' },
  to: { type: 'bank', symbol: 'EUR' },
} as const;
export const hasFailed = async (): Promise<boolean> => (await partner.get('/v1/webhooks')).status === 503;
export const statusOf = async (id: string): Promise<string> =>
  (await partner.get(`${partner.account}/quotes/${id}`)).body.data.status;
