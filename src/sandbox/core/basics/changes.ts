/** Parts whose changes have no entry in the timeline, by their control plane paths. */
export const ANNOUNCED = ['assets', 'idempotency', 'inbox', 'keys', 'otp', 'prices', 'settings', 'webhooks'] as const;

export type Announced = (typeof ANNOUNCED)[number];

/** Announces changes that have no entry in the timeline. */
export class Changes {
  #hear: (part: Announced) => void = () => {};

  /** `hear` is called with the name of each part that changes without an entry in the timeline. */
  announceTo(hear: (part: Announced) => void): void {
    this.#hear = hear;
  }

  announce(part: Announced): void {
    this.#hear(part);
  }
}
