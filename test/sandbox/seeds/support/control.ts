import { operations } from '../../../../src/resources/operations.js';
import { type ApiKeyScope, createSandbox, type Sandbox } from '../../../../src/sandbox/index.js';
import { DirectPartner } from '../../support/direct-partner.js';
import { requestOf } from '../../support/partner.js';
import { addStory, FIRST } from './data.js';
import { Parts } from './parts.js';

const SCOPES: readonly ApiKeyScope[] = ['read', 'trade', 'funds', 'users', 'webhooks'];

/** What tests and the page see of the sandbox of a seed, at its beginning and after the story of its data. */
export async function controlOf(seed: number): Promise<Parts> {
  const parts = new Parts();
  await addStory(seed, new Parts(), (sandbox, moment) => addViews(sandbox, parts, moment));
  await addScopes(seed, parts);
  return parts;
}

function addViews(sandbox: Sandbox, parts: Parts, moment: string): void {
  const add = (part: string, value: unknown) => parts.add(`${part} ${moment}`, JSON.stringify(value));
  add('resources.kinds', sandbox.resources.kinds());
  for (const { kind, count } of sandbox.resources.kinds()) {
    add(`resources.list ${kind}`, sandbox.resources.list(kind, { limit: count }));
  }
  add('clock.agenda', sandbox.clock.agenda());
  add('webhooks.samples', sandbox.webhooks.samples());
  add('outcomes.known', sandbox.outcomes.known());
  add('scenarios.list', sandbox.scenarios.list());
  add('executionTimes.get', sandbox.executionTimes.get());
  add('books.check', sandbox.books.check());
  // Later ones hold the machine's times of deliveries.
  if (moment === FIRST) add('snapshot', sandbox.snapshot());
}

/** The operations that an API key of one scope may call. */
async function addScopes(seed: number, parts: Parts): Promise<void> {
  const { sandbox, url } = new DirectPartner(createSandbox({ seed }), 'http://sandbox.example');
  for (const scope of SCOPES) {
    const partner = new DirectPartner(sandbox, url, sandbox.keys.issue({ scopes: [scope] }));
    for (const { name, method, path } of operations) {
      const { status } = await partner.send(requestOf(`${method} ${path.replaceAll(/\{\w+\}/g, '-')}`));
      parts.add(`scope ${scope}`, `${name} ${status === 403}`);
    }
  }
  await sandbox.close();
}
