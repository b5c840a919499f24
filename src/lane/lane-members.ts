import type { NonceOrder } from '../stats.js';

/** The settings of one client for a lane that it shares with others. */
export interface LaneMember {
  readonly nonceOrder: NonceOrder;
  readonly nonceRefusals: number;
  readonly keyIsShared: boolean;
}

/** The clients of a lane. The strictest of them decides. */
export class LaneMembers {
  readonly #members = new Set<LaneMember>();
  /** The strictest order among the clients. */
  order: NonceOrder = 'adaptive';
  /** The smallest share of refusals that a client allows, 0 to 1. */
  refusals = 0;
  /** True when a client says that other processes use the API key. */
  keyIsShared = false;

  join(member: LaneMember): void {
    this.#members.add(member);
    this.#decide();
  }

  /** True when the client was the last. */
  leave(member: LaneMember): boolean {
    this.#members.delete(member);
    if (this.#members.size === 0) return true;
    this.#decide();
    return false;
  }

  #decide(): void {
    const members = [...this.#members];
    const wants = (order: NonceOrder) => members.some(({ nonceOrder }) => nonceOrder === order);
    this.order = wants('strict') ? 'strict' : wants('adaptive') ? 'adaptive' : 'unordered';
    this.refusals = Math.min(...members.map(({ nonceRefusals }) => nonceRefusals));
    this.keyIsShared = members.some(({ keyIsShared }) => keyIsShared);
  }
}
