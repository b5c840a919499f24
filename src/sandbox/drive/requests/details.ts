import { isSecretName, MASK, maskedText } from '../../core/basics/masked.js';
import type { SigningCheck } from '../../core/request/refusal-details.js';
import { type Exchange, headerPairs, type KeptBody } from '../../service/journal/exchanges.js';
import type { JournalEntry } from '../../service/journal/journal.js';
import type { DrivenService } from '../service/driven.js';
import { entriesAfter, type TimelineEntry } from '../timeline/entries.js';

/** A body in a form that JSON can contain. */
export interface MessageBody {
  /** The body as text. Undefined if it is not UTF-8. */
  readonly text?: string | undefined;
  /** The body's bytes as base64, if they are not UTF-8. */
  readonly base64?: string | undefined;
  /** Length of the whole body in bytes. */
  readonly bytes: number;
  /** True if only its first 16 kB are stored. */
  readonly isCut: boolean;
}

/** A request as it was received. */
export interface SentRequest {
  /** Names are in lower case; several values of one name are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if it was too large, or the client closed the connection before its end. */
  readonly body: MessageBody | undefined;
}

/** A response as the sandbox sent it. */
export interface SentAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: MessageBody;
  /** `half`: the connection broke in the middle. `slowly`: byte by byte. */
  readonly sent: 'whole' | 'half' | 'slowly';
}

/** A request of the journal with its details. */
export interface RequestDetails extends JournalEntry {
  /** Undefined without `inspect`, and for all but the newest 1,000 requests. */
  readonly request?: SentRequest | undefined;
  /** Undefined for the same reasons, and if there was no response. */
  readonly response?: SentAnswer | undefined;
  /** For `bad_signature`: the sandbox's signature, beside the received one. */
  readonly signing?: SigningCheck | undefined;
  /** Requests that `requests.replay` sent from it. */
  readonly replays: readonly JournalEntry[];
  /** Its effects, including later ones, without its replays. Empty without `inspect`. */
  readonly effects: readonly TimelineEntry[];
}

/** Headers with secrets, in addition to those whose name contains a word for a secret. */
const SECRET_HEADERS: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie']);

/** Maximum number of effects; the rest are left out. One call may advance the clock by a year. */
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
    request: { headers: headersOf(exchange, masked), body: exchange.body && shown(exchange.body, masked) },
    response: answerOf(exchange, masked),
    ...(exchange.signing === undefined ? {} : { signing: exchange.signing }),
    replays,
    effects,
  };
}

/** Returns the entries that it caused, and their effects. A cause comes before its effects. */
function effectsOf({ seq }: JournalEntry, later: readonly TimelineEntry[]): TimelineEntry[] {
  const causes = new Set([seq]);
  const effects: TimelineEntry[] = [];
  for (const entry of later) {
    if (entry.cause === undefined || !causes.has(entry.cause)) continue;
    // A replay is a separate request with its own effects.
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
  const broken = sent === 'cut' ? 'half' : 'whole';
  return { status, headers: { ...headers }, body: shown(body, masked), sent: sent === 'slow' ? 'slowly' : broken };
}

function headersOf(exchange: Exchange, masked: Mask): Record<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of headerPairs(exchange)) {
    const shown = SECRET_HEADERS.has(name) || isSecretName(name) ? MASK : masked(value);
    const before = headers.get(name);
    headers.set(name, before === undefined ? shown : `${before}, ${shown}`);
  }
  return Object.fromEntries(headers);
}

function shown(body: KeptBody, masked: Mask): MessageBody {
  const { bytes, length, isCut } = body;
  const text = textOf(body);
  if (text !== undefined) return { text: masked(text), bytes: length, isCut };
  return { base64: Buffer.from(bytes).toString('base64'), bytes: length, isCut };
}

/** Returns undefined for bytes that are not UTF-8. The cut may be within a character. */
export function textOf({ bytes, isCut }: KeptBody): string | undefined {
  if (typeof bytes === 'string') return bytes;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut });
  } catch {
    return undefined;
  }
}

/** Masks members with secret names, and every secret of the sandbox wherever it occurs. */
export function maskerOf({ keys, webhooks }: DrivenService): Mask {
  const ofKeys = keys.list().flatMap(({ secret, formerSecret }) => [secret, formerSecret]);
  const ofWebhooks = webhooks.subscriptions.save().subscriptions.flatMap(({ secrets }) => secrets);
  const known = [
    ...ofKeys.flatMap((secret) => (secret === undefined ? [] : [secret.toString('base64')])),
    ...ofWebhooks.map(({ secret }) => secret),
  ];
  return (text) => known.reduce((left, secret) => left.replaceAll(secret, MASK), maskedText(text));
}
