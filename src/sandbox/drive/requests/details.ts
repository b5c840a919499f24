import { isSecretName, MASK, maskedText } from '../../core/basics/masked.js';
import type { SigningCheck } from '../../core/request/refusal-details.js';
import type { Exchange, KeptBody } from '../../service/journal/exchanges.js';
import type { JournalEntry } from '../../service/journal/journal.js';
import type { DrivenService } from '../service/driven.js';
import { entriesAfter, type TimelineEntry } from '../timeline/entries.js';

/** A body as it can be shown. */
export interface MessageBody {
  /** The body as text. Undefined if it is not UTF-8. */
  readonly text?: string | undefined;
  /** The body's bytes as base64, if they are not UTF-8. */
  readonly base64?: string | undefined;
  /** Length of the whole body in bytes. */
  readonly bytes: number;
  /** True if only its first 16 kB are kept. */
  readonly isCut: boolean;
}

/** A request as it arrived. */
export interface SentRequest {
  /** Names are in lower case; several values of one name have commas between them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if it was too large, or its sender went away before its end. */
  readonly body: MessageBody | undefined;
}

/** An answer as the sandbox sent it. */
export interface SentAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: MessageBody;
  /** `half`: the connection broke in the middle of it. `slowly`: byte by byte. */
  readonly sent: 'whole' | 'half' | 'slowly';
}

/** A request of the journal with what is known of it. */
export interface RequestDetails extends JournalEntry {
  /** Undefined without `inspect`, and for requests older than the newest 1,000. */
  readonly request?: SentRequest | undefined;
  /** Undefined, too, if there was no answer. */
  readonly response?: SentAnswer | undefined;
  /** The sandbox's signature, beside the one it received, for the verdict `bad_signature`. */
  readonly signing?: SigningCheck | undefined;
  /** The requests that `requests.replay` sent in its place. */
  readonly replays: readonly JournalEntry[];
  /** Its effects, also later ones, without its replays. Empty without `inspect`. */
  readonly effects: readonly TimelineEntry[];
}

/** Headers with what only the sender and the service should know, beside those with such a name. */
const SECRET_HEADERS: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie']);

/** Further effects are left out: one call may move a whole year of the clock. */
const MAX_EFFECTS = 1_000;

export function detailsOf(service: DrivenService, entry: JournalEntry): RequestDetails {
  const { journal, state } = service;
  const exchange = journal.exchanges?.get(entry.seq);
  const replays = journal.entries.filter(({ cause }) => cause === entry.seq);
  const effects = effectsOf(entry, entriesAfter(state.timeline, entry.seq));
  if (exchange === undefined) return { ...entry, replays, effects };
  const masked = maskerOf(service);
  return {
    ...entry,
    request: { headers: headersOf(exchange.headers, masked), body: exchange.body && shown(exchange.body, masked) },
    response: answerOf(exchange, masked),
    ...(exchange.signing === undefined ? {} : { signing: exchange.signing }),
    replays,
    effects,
  };
}

/** Entries that it caused, and what these caused: a cause comes before its effects. */
function effectsOf({ seq }: JournalEntry, later: readonly TimelineEntry[]): TimelineEntry[] {
  const causes = new Set([seq]);
  const effects: TimelineEntry[] = [];
  for (const entry of later) {
    if (entry.cause === undefined || !causes.has(entry.cause)) continue;
    // A replay is a request of its own, with effects of its own.
    if (entry.kind === 'request') continue;
    causes.add(entry.seq);
    effects.push(entry);
    if (effects.length === MAX_EFFECTS) break;
  }
  return effects;
}

type Mask = (text: string) => string;

function answerOf({ answer, sent }: Exchange, masked: Mask): SentAnswer | undefined {
  if (answer === undefined) return undefined;
  const { status, headers, body } = answer;
  const ways = { cut: 'half', slow: 'slowly' } as const;
  const way = sent === 'cut' || sent === 'slow' ? ways[sent] : 'whole';
  return { status, headers: { ...headers }, body: shown(body, masked), sent: way };
}

function headersOf(raw: readonly string[], masked: Mask): Record<string, string> {
  const headers = new Map<string, string>();
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    const isSecret = SECRET_HEADERS.has(name) || isSecretName(name);
    const value = isSecret ? MASK : masked(raw[index + 1] ?? '');
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}

function shown({ bytes, length, isCut }: KeptBody, masked: Mask): MessageBody {
  const text = typeof bytes === 'string' ? bytes : textIn(bytes, isCut);
  if (text !== undefined) return { text: masked(text), bytes: length, isCut };
  return { base64: Buffer.from(bytes).toString('base64'), bytes: length, isCut };
}

/** Undefined for bytes that are not UTF-8. A cut may be within a character. */
function textIn(bytes: Uint8Array, isCut: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut });
  } catch {
    return undefined;
  }
}

/** Masks members with secret names, and every secret that the sandbox knows, wherever it stands. */
function maskerOf({ keys, webhooks }: DrivenService): Mask {
  const ofKeys = keys.list().flatMap(({ secret, formerSecret }) => [secret, formerSecret]);
  const ofWebhooks = webhooks.subscriptions.save().subscriptions.flatMap(({ secrets }) => secrets);
  const known = [
    ...ofKeys.flatMap((secret) => (secret === undefined ? [] : [secret.toString('base64')])),
    ...ofWebhooks.map(({ secret }) => secret),
  ];
  return (text) => known.reduce((left, secret) => left.replaceAll(secret, MASK), maskedText(text));
}
