import type { SandboxWorld, WorldOptions } from '../../../../src/sandbox/index.js';
import { askControl, type ControlAnswer, openSandbox, Partner } from '../../support/partner.js';

/** A partner of one world: it signs with the keys of the world, and asks its control plane. */
export class WorldPartner extends Partner {
  constructor(
    root: Partner,
    readonly world: SandboxWorld,
    credentials = world.credentials,
  ) {
    super(root.sandbox, root.url, credentials);
  }

  override get account(): string {
    return `/v1/accounts/${this.world.fixtures.accountId}`;
  }

  /** `GET clock/now` of the world. */
  async ask(line: string, args?: unknown): Promise<ControlAnswer> {
    const [method = '', path = ''] = line.split(' ');
    const body = args === undefined ? {} : { body: JSON.stringify(args) };
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${this.world.url}/${path}`, { method, headers, ...body });
    return { status: answer.status, ...((await answer.json()) as object) };
  }

  /** The total of the main account. */
  async usd(): Promise<string> {
    const { data } = await this.ask(`GET books/holdings/${this.world.fixtures.accountId}`);
    return data.find(({ asset }: { asset: string }) => asset === 'fiat:USD').total;
  }
}

/** The sandbox itself, asked as a world is. */
export function ofSandbox(root: Partner): WorldPartner {
  const { credentials, fixtures } = root.sandbox;
  const url = `${root.url}/_sandbox`;
  return new WorldPartner(root, { id: '', seed: 1, credentials, fixtures, url, createdAt: 0, lastUse: 0 });
}

/** Makes a world over HTTP. */
export async function addWorld(root: Partner, options?: WorldOptions): Promise<WorldPartner> {
  const { data, error } = await askControl(root, 'POST worlds', options === undefined ? [] : [options]);
  if (error !== undefined) throw new Error(error.message);
  return new WorldPartner(root, data);
}

/** A sandbox that listens, and two worlds of one seed in it. */
export async function twoWorlds(options: WorldOptions = { seed: 7 }) {
  const root = await openSandbox({ inspect: true });
  return { root, one: await addWorld(root, options), other: await addWorld(root, options) };
}
