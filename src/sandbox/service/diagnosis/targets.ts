import type { Mistake, WrongSignature } from './wrong-signature.js';

/** A text that may have been signed instead of path and query. */
export interface Target extends Mistake {
  readonly text: string;
}

/** Maximum number of parameters that are tried in every order; more are tried only sorted. */
const MAX_PERMUTED = 4;

/** Maximum length in characters of a path that is encoded or ordered in other ways. */
const MAX_LENGTH = 1_000;

const ORDER = 'you signed the query with its parameters in another order';
const ENCODING = 'you signed the query encoded otherwise than you sent it';

/**
 * Returns the texts that a client may have signed instead of path and query, without duplicates.
 */
export function targetsFor({ head, key }: WrongSignature): Target[] {
  const { target, method, origin } = head;
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const host = origin.replace(/^[a-z]+:\/\//, '');
  const found: Target[] = [
    ...(mark < 0 ? [] : [{ clause: 'you signed the path without its query', text: path, isCommon: true }]),
    { clause: 'you signed the whole URL, with scheme and host', text: `http://${host}${target}`, isCommon: true },
    { clause: 'you signed the whole URL, with scheme and host', text: `https://${host}${target}` },
    { clause: 'you signed the whole URL without its query', text: `http://${host}${path}` },
    { clause: 'you signed the host with the path', text: `${host}${target}` },
    { clause: 'you signed the method, too', text: `${method}${target}`, isCommon: true },
    { clause: 'you signed the method, too', text: `${method} ${target}` },
    { clause: 'you signed the method, too', text: `${method}\n${target}` },
    { clause: 'you signed the method, too', text: `${method.toLowerCase()}${target}` },
    ...(target.length > MAX_LENGTH ? [] : rewritten(target, path)),
    { clause: 'you signed the path with a slash at its end', text: `${path}/${target.slice(path.length)}` },
    {
      clause: 'you signed the path without the slash at its end',
      text: path.replace(/\/$/, '') + target.slice(path.length),
    },
    { clause: 'you signed a slash at the end of path and query', text: `${target}/` },
    { clause: 'you signed the path without the slash at its start', text: target.slice(1) },
    { clause: 'you signed the path with two slashes at its start', text: `/${target}` },
    { clause: 'you signed the path without /v1', text: target.replace(/^\/v1(?=\/)/, '') },
    { clause: 'you signed the path without /v1', text: target.replace(/^\/v1\//, '') },
    { clause: 'you signed a ? that you did not send', text: `${target}?` },
    { clause: 'you signed a line break after the path', text: `${target}\n` },
    { clause: 'you signed the API key, too', text: `${key.apiKey}${target}` },
    { clause: 'you signed the API key, too', text: `${target}${key.apiKey}` },
    { clause: 'you left out the path', text: '' },
  ];
  const byText = new Map<string, Target>([[target, { clause: '', text: target }]]);
  for (const one of found) if (!byText.has(one.text)) byText.set(one.text, one);
  byText.delete(target);
  return [...byText.values()];
}

/** Returns the path in other encodings, letter cases and orders. */
function rewritten(target: string, path: string): Target[] {
  return [
    ...queryTargets(path, target.slice(path.length + 1)),
    { clause: 'you signed the path decoded, without its percent-encoding', text: decoded(target), isCommon: true },
    { clause: 'you signed the path decoded, without its percent-encoding', text: decoded(target.replaceAll('+', ' ')) },
    { clause: 'you signed the path percent-encoded twice', text: target.replaceAll('%', '%25') },
    { clause: 'you signed the path encoded otherwise than you sent it', text: encodeURI(decoded(target)) },
    { clause: 'you signed the path encoded otherwise than you sent it', text: caseOfEscapes(target) },
    { clause: 'you signed the path in lower case', text: target.toLowerCase() },
    { clause: 'you signed the path in lower case', text: path.toLowerCase() + target.slice(path.length) },
    { clause: 'you signed the path in upper case', text: target.toUpperCase() },
    { clause: 'you signed the path in upper case', text: path.toUpperCase() + target.slice(path.length) },
  ];
}

function queryTargets(path: string, query: string): Target[] {
  if (query === '') return [];
  const parameters = query.split('&');
  const texts: [clause: string, query: string][] = [
    [ORDER, [...parameters].sort().join('&')],
    [ORDER, [...parameters].reverse().join('&')],
    ...ordersOf(parameters).map((order): [string, string] => [ORDER, order.join('&')]),
    ['you signed + where you sent %20', query.replaceAll('%20', '+')],
    ['you signed %20 where you sent +', query.replaceAll('+', '%20')],
    [ENCODING, parameters.map((one) => one.split('=').map(strict).join('=')).join('&')],
    [ENCODING, new URLSearchParams(query).toString()],
  ];
  return texts.map(([clause, text]) => ({ clause, text: `${path}?${text}` }));
}

/** Returns all orders of at most `most` items; none of more. */
export function ordersOf<T>(items: readonly T[], most: number = MAX_PERMUTED): T[][] {
  if (items.length > most) return [];
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) =>
    ordersOf([...items.slice(0, index), ...items.slice(index + 1)], most).map((rest) => [item, ...rest]),
  );
}

const strict = (text: string): string =>
  encodeURIComponent(decoded(text.replaceAll('+', ' '))).replaceAll(/[!'()*]/g, escaped);

const escaped = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

function caseOfEscapes(text: string): string {
  const upper = text.replaceAll(/%[0-9a-f]{2}/gi, (found) => found.toUpperCase());
  return upper === text ? text.replaceAll(/%[0-9a-f]{2}/gi, (found) => found.toLowerCase()) : upper;
}

/** Lone surrogates and invalid escapes are not decoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
