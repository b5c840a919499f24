import { z } from 'zod';
import type { BankLink } from '../resources/funds/bank-links.js';
import type { User } from '../resources/users/users.js';
import { DECIMAL_TEXT } from '../schema/decimal.js';
import { IN_OUR_WORDS, issuesOf } from '../schema/validate.js';
import { copyMembers, isPlain } from '../util/members.js';
import { isRecord } from '../util/options.js';
import { linkBank, unlinkBank } from './lifecycles/bank-links.js';
import { type ConversionInput, startConversion } from './lifecycles/conversions.js';
import { type DepositInput, deposit } from './lifecycles/deposits.js';
import { failQuote } from './lifecycles/quotes.js';
import { MAX_AMOUNT_LENGTH } from './state/money.js';
import type { AccountState, State } from './state/state.js';
import type { RegisteredWebhook, WebhookChange, WebhookInput } from './webhooks/subscriptions.js';
import { isWebhookUrl, WEBHOOK_URL } from './webhooks/url.js';

const text = z.string().min(1);
const isAmount = (value: string): boolean => DECIMAL_TEXT.test(value) && !value.startsWith('-');
const amount = z.string().max(MAX_AMOUNT_LENGTH).refine(isAmount, 'must be a decimal number as text');
const asset = { symbol: text, asset_type: text.optional() };

const conversionInput = z.strictObject({
  from: z.strictObject({ type: z.enum(['balance', 'bank']), ...asset, amount }),
  to: z.strictObject({ type: z.enum(['balance', 'bank', 'wallet']), ...asset, wallet_id: text.optional() }),
  fails: z.boolean().optional(),
});

const depositInput = z.strictObject({ ...asset, amount, method_id: text.optional() });

const userStatus = z.strictObject({ state: text.optional(), required_actions: z.array(z.json()).optional() });

const url = z.string().refine(isWebhookUrl, `must be ${WEBHOOK_URL}`);
const webhookMembers = { events: z.array(text).nonempty().optional(), description: z.string().optional() };
const webhookInput = z.strictObject({ url, ...webhookMembers, scheme: z.enum(['timestamped', 'body']).optional() });
const webhookChange = z.strictObject({ url: url.optional(), ...webhookMembers, disabled: z.boolean().optional() });
const rotation = z.strictObject({ overlap: z.number().min(0).optional() });

/** How long a replaced signing secret stays valid, in milliseconds. */
const OVERLAP_MS = 24 * 60 * 60 * 1000;

/** What who runs the sandbox can make happen: checks what it is given, then changes the state as the service would. */
export class Controls {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  failQuote(quoteId: string): void {
    const id = checked('failQuote', text, quoteId);
    this.#changing(() => failQuote(this.#state, id));
  }

  rejectAddress(address: string): void {
    this.#state.rejectedAddresses.add(checked('rejectAddress', text, address));
  }

  convert(accountId: string, input: ConversionInput) {
    const order = checked('convert', conversionInput, input);
    return this.#changing(() => startConversion(this.#state, this.#account('convert', accountId), order));
  }

  deposit(accountId: string, input: DepositInput) {
    const order = checked('deposit', depositInput, input);
    return this.#changing(() => deposit(this.#state, this.#account('deposit', accountId), order));
  }

  linkBank(accountId: string): BankLink {
    return this.#changing(() => linkBank(this.#state, this.#account('linkBank', accountId)));
  }

  unlinkBank(bankLinkId: string): void {
    const id = checked('unlinkBank', text, bankLinkId);
    this.#changing(() => unlinkBank(this.#state, id));
  }

  setUserStatus(userId: string, status: Partial<User['status']>): User {
    const change = checked('setUserStatus', userStatus, status);
    const { user } = this.#state.users.get(userId) ?? {};
    if (user === undefined) throw new Error(`setUserStatus: there is no user ${userId}`);
    user.status.state = change.state ?? user.status.state;
    user.status.required_actions = change.required_actions ?? user.status.required_actions;
    return structuredClone(user);
  }

  registerWebhook(input: WebhookInput): RegisteredWebhook {
    const webhook = checked('registerWebhook', webhookInput, input);
    return this.#changing(() => this.#state.webhooks.subscriptions.register(webhook));
  }

  updateWebhook(id: string, input: WebhookChange) {
    const change = checked('updateWebhook', webhookChange, input);
    return this.#changing(() => this.#state.webhooks.update(id, change));
  }

  rotateWebhookSecret(id: string, options: { readonly overlap?: number | undefined } = {}): RegisteredWebhook {
    const { overlap = OVERLAP_MS } = checked('rotateWebhookSecret', rotation, options);
    return this.#changing(() => this.#state.webhooks.subscriptions.rotate(id, overlap));
  }

  removeWebhook(id: string): void {
    this.#changing(() => this.#state.webhooks.remove(id));
  }

  #account(method: string, id: string): AccountState {
    const account = this.#state.accounts.get(id);
    if (account === undefined) throw new Error(`${method}: there is no account ${id}`);
    return account;
  }

  /** The change happens at a moment at which nothing else is due, and what it brings about at once follows. */
  #changing<T>(change: () => T): T {
    this.#state.clock.catchUp();
    const result = structuredClone(change());
    this.#state.clock.catchUp();
    return result;
  }
}

/** The argument and its members, read once. */
function ownData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ownMemberData);
  if (!isRecord(value)) return value;
  const copy = copyMembers(value);
  for (const name of Object.keys(copy)) copy[name] = ownMemberData(copy[name]);
  return copy;
}

const ownMemberData = (value: unknown): unknown => (isRecord(value) && !isPlain(value) ? value : ownData(value));

function checked<T>(method: string, schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(ownData(value), IN_OUR_WORDS);
  if (result.success) return result.data;
  const issues = issuesOf(result.error).map(({ path, message }) => `${path || 'argument'}: ${message}`);
  throw new TypeError(`${method}: ${issues.join('; ')}`);
}
