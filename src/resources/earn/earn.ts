import { Resource } from '../resource.js';
import { EarnAssets } from './assets.js';

/** `client.earn.auto`: assets that earn rewards by themselves while they are held. */
export class EarnAuto extends Resource {
  readonly assets = new EarnAssets(this.api);
}

/** `client.earn`: rewards for assets. `client.accounts.earn` has those of one account. */
export class Earn extends Resource {
  readonly auto = new EarnAuto(this.api);
}
