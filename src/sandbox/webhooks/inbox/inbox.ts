import type { Changes } from '../../core/basics/changes.js';
import { SizedMap } from '../../core/basics/sized-map.js';
import type { Now } from '../../core/clock/clock.js';
import type { OutgoingRequest, ReceivedAnswer } from '../delivery/sender.js';
import type { WebhookVerdict } from '../verify/verify.js';
import type { InboxDelivery } from '../verify/verify-input.js';
import { type InboxAnswer, type InboxAnswering, type InboxFilter, isInboxName } from './inbox-options.js';

/** A delivery that arrived in an inbox. */
export interface InboxMessage {
  /** For example `message_1`. */
  readonly id: string;
  /** Position among all messages: 1 is the oldest. */
  readonly seq: number;
  /** Name of the inbox. */
  readonly name: string;
  /** Time of its arrival by the sandbox's clock: milliseconds since the epoch. */
  readonly at: number;
  /** Time of its arrival by the machine's clock. */
  readonly real: number;
  /** Headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The first 65,536 characters of the body. */
  readonly body: string;
  /** The result that a receiver should have reached, with the reason of a rejection. */
  readonly verification: WebhookVerdict;
  /** Status of the inbox's response. */
  readonly status: number;
}

/** Path prefix of every inbox. */
export const INBOX_PATH = '/_sandbox/inbox/';

/** Base URL of inboxes while the sandbox does not listen. */
const UNREACHABLE_ORIGIN = 'http://localhost';

/** Maximum number of messages, and of the characters of one and of all. Older ones are dropped. */
const MAX_MESSAGES = 1_000;
const MAX_BODY_LENGTH = 65_536;
const MAX_CHARACTERS = 16 * 1024 * 1024;

const NO_ANSWER: InboxAnswer = {};

/** Status with which a strict receiver rejects an invalid delivery. */
const UNPROVEN = 401;

const answered = ({ status = 200, delayMs = 0, body = '', strict = false }: InboxAnswer) => ({
  status,
  delayMs,
  body,
  strict,
});

/** Receivers inside the sandbox. They store deliveries, and respond as configured. */
export class Inbox {
  readonly #clock: Now;
  readonly #changes: Changes;
  readonly #verify: (delivery: InboxDelivery) => WebhookVerdict;
  readonly #messages = new SizedMap<string, InboxMessage>(MAX_MESSAGES, MAX_CHARACTERS);
  /** Configured responses by name; `''` for all other inboxes. */
  readonly #answers = new Map<string, { readonly answer: InboxAnswer; left: number }>();
  readonly #waiting = new Set<ReturnType<typeof setTimeout>>();
  #seq = 0;
  #origin: string | undefined;

  constructor(clock: Now, changes: Changes, verify: (delivery: InboxDelivery) => WebhookVerdict) {
    this.#clock = clock;
    this.#changes = changes;
    this.#verify = verify;
  }

  /** `url`: the URL of the sandbox. */
  listensAt(url: string): void {
    // Nothing can be sent to the addresses that mean all interfaces.
    this.#origin = new URL(url).origin.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]');
  }

  url(name: string): string {
    return `${this.#origin ?? UNREACHABLE_ORIGIN}${INBOX_PATH}${name}`;
  }

  /** Delivers a request of the sandbox to an inbox. Returns undefined for any other URL. */
  post({ url, headers, body }: OutgoingRequest, signal: AbortSignal): Promise<ReceivedAnswer> | undefined {
    const { origin, pathname } = new URL(url);
    const name = pathname.slice(INBOX_PATH.length);
    const isOwn = origin === this.#origin || origin === UNREACHABLE_ORIGIN;
    if (!isOwn || !pathname.startsWith(INBOX_PATH) || !isInboxName(name)) return undefined;
    const lower = Object.entries(headers).map(([header, value]) => [header.toLowerCase(), value]);
    return this.receive({ name, headers: Object.fromEntries(lower), body }, signal);
  }

  /** Keeps a delivery, and resolves with the response after its delay. */
  async receive(delivery: InboxDelivery, signal?: AbortSignal): Promise<ReceivedAnswer> {
    const told = answered(this.#takeAnswer(delivery.name));
    const { delayMs, body } = told;
    const verification = this.#verify(delivery);
    const status = told.strict && !verification.valid ? UNPROVEN : told.status;
    this.#keep(delivery, verification, status);
    if (delayMs > 0) await this.#pause(delayMs, signal);
    return { status, headers: { 'content-type': 'text/plain' }, body };
  }

  list({ name, after = 0, limit = Infinity }: InboxFilter): InboxMessage[] {
    return this.#messages
      .values()
      .filter((one) => one.seq > after && (name === undefined || one.name === name))
      .slice(0, limit);
  }

  answer(answer: InboxAnswer): void {
    const { name = '', times = 'always' } = answer;
    this.#answers.set(name, { answer, left: times === 'always' ? Infinity : times });
    this.#changes.announce('inbox');
  }

  /** In the order in which they were first set. */
  answers(): InboxAnswering[] {
    return Array.from(this.#answers, ([name, { answer, left }]) => ({
      ...(name === '' ? {} : { name }),
      ...answered(answer),
      left: left === Infinity ? 'always' : left,
    }));
  }

  /** Removes all messages and configured responses. */
  clear(): void {
    this.#messages.clear();
    this.#answers.clear();
    this.#changes.announce('inbox');
  }

  /** Delayed responses are never sent after this. */
  close(): void {
    for (const timer of this.#waiting) clearTimeout(timer);
    this.#waiting.clear();
  }

  #keep({ name, headers, body }: InboxDelivery, verification: WebhookVerdict, status: number): void {
    this.#seq += 1;
    const message: InboxMessage = Object.freeze({
      id: `message_${this.#seq}`,
      seq: this.#seq,
      name,
      at: this.#clock.now(),
      real: Date.now(),
      headers,
      body: body.slice(0, MAX_BODY_LENGTH),
      verification,
      status,
    });
    this.#messages.add(message.id, message, message.body.length);
    this.#changes.announce('inbox');
  }

  #takeAnswer(name: string): InboxAnswer {
    for (const key of [name, '']) {
      const told = this.#answers.get(key);
      if (told === undefined) continue;
      told.left -= 1;
      if (told.left <= 0) this.#answers.delete(key);
      return told.answer;
    }
    return NO_ANSWER;
  }

  /** Ends early if the sender stops waiting. */
  #pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(timer);
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#waiting.add(timer);
      signal?.addEventListener('abort', end);
    });
  }
}
