import { describe, expect, test } from 'vitest';
import { createSandbox, type SandboxSnapshot } from '../../../src/sandbox/index.js';
import { askControl, openSandbox } from '../support/partner.js';

const MEBIBYTE = 1024 * 1024;

/** A snapshot of more than 5 MB. */
async function largeSnapshot(): Promise<SandboxSnapshot> {
  await using busy = createSandbox();
  for (let count = 0; count < 450; count += 1) busy.users.add({ external_reference: `user ${count}` });
  return busy.snapshot();
}

/** What a restore puts back: the generation is that of the ids to come. */
function stateOf(snapshot: SandboxSnapshot): object {
  const { generation: _, ...state } = snapshot as SandboxSnapshot & { readonly generation: number };
  return state;
}

describe('over HTTP', () => {
  test('a large snapshot is put back, and leaves little in the timeline', async () => {
    const snapshot = await largeSnapshot();
    const text = JSON.stringify([snapshot]);
    expect(text.length).toBeGreaterThan(5 * MEBIBYTE);
    const partner = await openSandbox({ inspect: true });
    expect(await askControl(partner, 'POST restore', text)).toEqual({ status: 200, data: null });
    expect(stateOf(partner.sandbox.snapshot())).toEqual(stateOf(snapshot));

    const told = partner.sandbox.events({ after: 0, kinds: ['control'] })[Symbol.asyncIterator]();
    const { value: entry } = await told.next();
    expect(entry).toMatchObject({ method: 'restore', args: [{ seed: 1, version: 1 }], status: 200 });
    expect(JSON.stringify(entry).length).toBeLessThan(16_384);
  });

  test('a call of more than 64 MiB is refused, and so is a delivery of more than 1 MiB', async () => {
    const partner = await openSandbox();
    const call = JSON.stringify(['x'.repeat(64 * MEBIBYTE)]);
    expect(await askControl(partner, 'POST restore', call)).toEqual({
      status: 413,
      error: { message: 'the body is too large: at most 64 MiB are taken' },
    });
    const delivery = JSON.stringify('x'.repeat(MEBIBYTE));
    expect(await askControl(partner, 'POST inbox/mine', delivery)).toEqual({
      status: 413,
      error: { message: 'the body is too large: at most 1 MiB are taken' },
    });
    expect(partner.sandbox.inbox.list()).toEqual([]);
  });
});
