import type { Sandbox } from '../../../../src/sandbox/index.js';
import { type DirectPartner, directSandbox } from '../../support/direct-partner.js';
import { Parts, withoutSignature } from './parts.js';
import { askAllReads, NO_IDS } from './reads.js';
import { askWrites } from './writes.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What a partner sees of the sandbox of a seed. */
export async function dataOf(seed: number): Promise<Parts> {
  const parts = new Parts();
  await addStory(seed, parts);
  await addFirstWrites(seed, parts);
  return parts;
}

/** The moment before the first request. */
export const FIRST = 'at first';

type Look = (sandbox: Sandbox, moment: string) => void;

/** Reads, then writes, then reads again as time passes. */
export async function addStory(seed: number, parts: Parts, look: Look = () => {}): Promise<void> {
  const delivered: string[] = [];
  const partner = deliveringTo(delivered, seed);
  const { sandbox } = partner;
  parts.add('credentials', JSON.stringify(sandbox.credentials));
  parts.add('fixtures', JSON.stringify(sandbox.fixtures));
  look(sandbox, FIRST);
  await askAllReads(partner, parts, FIRST, NO_IDS, true);
  const ids = await askWrites(partner, parts, 'after reads');
  look(sandbox, 'after writes');
  await sandbox.clock.advance(HOUR_MS, { deliver: true });
  await askAllReads(partner, parts, 'after 1 h', ids, false);
  await sandbox.clock.advance(3 * DAY_MS, { deliver: true });
  await askAllReads(partner, parts, 'after 3 days', ids, false);
  look(sandbox, 'after 3 days');
  // Deliveries of one moment arrive in any order.
  parts.add('webhook deliveries', delivered.sort().join('\n'));
  await sandbox.close();
}

/** Writes to a sandbox without a read before: data that is made at its first read must draw no id of a write. */
async function addFirstWrites(seed: number, parts: Parts): Promise<void> {
  const partner = deliveringTo([], seed);
  await askWrites(partner, parts, 'before any read');
  await partner.sandbox.close();
}

function deliveringTo(delivered: string[], seed: number): DirectPartner {
  return directSandbox({
    seed,
    async deliver(request) {
      const text = JSON.stringify([request.url, [...request.headers], await request.text()]);
      delivered.push(withoutSignature(text));
      return new Response(null, { status: 204 });
    },
  });
}
