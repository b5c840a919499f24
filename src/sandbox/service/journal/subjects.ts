import { labelOf } from '../../../resources/labels.js';
import { isRecord } from '../../../util/options.js';
import { clipped } from '../../../util/printable.js';
import { flowIn, sideIn, words } from '../../core/basics/flow.js';
import { parsedJson } from '../../core/basics/json-forms.js';
import { find } from '../../core/kind/find.js';
import type { Handler } from '../../core/kind/handler.js';
import type { State } from '../../core/records/state.js';
import type { ReceivedBody } from '../../core/request/messages.js';
import { lastParameter } from '../../core/request/refusal.js';
import { decoded, type RouteMatch } from '../../core/request/route.js';
import { KINDS } from '../../kinds/registry/index.js';

/** The path of one resource, or of a verb for it. */
const PATH_OF_ONE = /\{(?!account_id|asset_symbol|key)\w+\}(\/(execute|cancel|test))?$/;

/**
 * Makes the function that says what a request is about, in at most 120 characters: what goes from
 * where to where, a person, or a noun with a name. The request may be wrong.
 */
export function subjectFor({ operation, nameOf }: Handler) {
  const [, first = '', noun] = /^(\w+) (.*?)( of an account)?$/.exec(labelOf(operation).title) ?? [];
  // `10 USD → BTC` is the quote that is created.
  const verb = /^(Create|Get|List|Save)$/.test(first) ? '' : `${first.toLowerCase()}s`;
  const isOfOne = PATH_OF_ONE.test(operation.path);
  const kind = KINDS.find(({ operations = [] }) => isOfOne && operations.some((one) => one.operation === operation));
  const last = lastParameter(operation) ?? '';
  return (state: State, { encodedParams, query }: RouteMatch, body: ReceivedBody): string => {
    const { account_id: account, user_id: user, asset_symbol: symbol = '', key, [last]: id = '' } = encodedParams;
    const asked = query.includes('symbol=') ? Object.fromEntries(new URLSearchParams(query)) : undefined;
    const bytes = body.kind === 'complete' && body.bytes.length <= 16_384 ? body.bytes : '';
    const given = bytes.length === 0 ? asked : parsedJson(Buffer.from(bytes).toString());
    const found = kind && find(state, kind, id, account);
    const flow = flowIn(given) || flowIn(found && kind?.shown(found.record, state, found.account));
    if (flow) return clipped(words(verb, flow), 120);
    const owner = account ? `of account …${account.slice(-4)}` : user && `of user …${user.slice(-4)}`;
    const name = isOfOne && (withoutQuery(nameOf?.(id)) || `${id.slice(0, 8)}…`);
    return clipped(words(verb, noun, name || words(decoded(key ?? symbol), given && nameIn(given), owner)), 120);
  };
}

function nameIn(given: unknown): string {
  const { key, new_key: renamed, url, name, address } = isRecord(given) ? given : {};
  const short = typeof address === 'string' && `${address.slice(0, 8)}…`;
  return words(key) || words(renamed && `→ ${renamed}`) || words(name, withoutQuery(url), sideIn(given), short);
}

/** A URL may contain credentials. */
const withoutQuery = (url: unknown): string => words(url).replace(/[?#].*|(?<=\/\/)[^/]*@/gs, '');
