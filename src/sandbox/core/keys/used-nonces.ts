/** Maximum width of the nonce window of an API key: the number of nonces that are kept. */
export const MAX_NONCE_WINDOW = 1_000;

export interface SavedNonces {
  readonly width: number;
  /** The highest used nonces, lowest first. */
  readonly used: readonly string[];
  readonly floor?: string | undefined;
}

/**
 * The used nonces of an API key. A nonce above all used ones is accepted, once. With a window of
 * `width`, a lower nonce is accepted, too, unless more than `width` used nonces are above it.
 */
export class UsedNonces {
  #width: number;
  /** The `width` highest nonces, lowest first. */
  #used: bigint[] = [];
  /** No nonce up to this one is accepted. */
  #floor: bigint | undefined;

  constructor(width = 0, floor?: bigint) {
    this.#width = width;
    this.#floor = floor;
  }

  static restored({ width, used, floor }: SavedNonces): UsedNonces {
    const nonces = new UsedNonces(width, floor === undefined ? undefined : BigInt(floor));
    for (const nonce of used) nonces.use(BigInt(nonce));
    return nonces;
  }

  get width(): number {
    return this.#width;
  }

  get last(): bigint | undefined {
    return this.#used.at(-1) ?? this.#floor;
  }

  /** Returns false if the nonce was used already or is too low. */
  use(nonce: bigint): boolean {
    if (this.#floor !== undefined && nonce <= this.#floor) return false;
    let place = this.#used.length;
    while (place > 0 && (this.#used[place - 1] ?? nonce) > nonce) place -= 1;
    if (this.#used[place - 1] === nonce) return false;
    this.#used.splice(place, 0, nonce);
    this.#forget();
    return true;
  }

  /** A wider window accepts no nonce below those of the current window. */
  resize(width: number): void {
    this.#width = width;
    this.#forget();
  }

  save(): SavedNonces {
    return { width: this.#width, used: this.#used.map(String), floor: this.#floor?.toString() };
  }

  #forget(): void {
    while (this.#used.length > this.#width) this.#floor = this.#used.shift();
  }
}
