import { objectOf, type Rule, rule } from '../util/options.js';
import { VERSION } from '../version.js';

/**
 * Your application, as the service sees it: `user-agent: partner-sdk/1.0.0 payouts/2.1`. A wrong
 * member is a `ConfigurationError`.
 */
export interface AppInfo {
  /** Letters, digits and any of ``!#$%&'*+-.^_`|~``, 1 to 64 characters. Required. */
  readonly name: string;
  /** The same characters as `name`. Default: none. */
  readonly version?: string | undefined;
  /** The page of the application: a URL of http or https, at most 256 characters. Default: none. */
  readonly url?: string | undefined;
}

/** The form of a product in `user-agent`: a token of HTTP. */
const APP_WORD = rule(
  (value) => typeof value === 'string' && /^[!#$%&'*+\-.^_`|~\w]{1,64}$/.test(value),
  "must be 1 to 64 letters, digits or any of !#$%&'*+-.^_`|~",
);

const APP_URL = rule(isAppUrl, 'must be a URL of http or https without spaces or parentheses, at most 256 characters');

function isAppUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\/[!-'*-[\]-~]{1,248}$/.test(value) && URL.canParse(value);
}

export const APP_INFO: Rule = objectOf({ name: { ...APP_WORD, required: true }, version: APP_WORD, url: APP_URL });

/** For example `partner-sdk/1.0.0 payouts/2.1 (https://example.com)`. */
export function userAgentOf(app: AppInfo | undefined): string {
  const own = `partner-sdk/${VERSION}`;
  if (app === undefined) return own;
  const { name, version, url } = app;
  return `${own} ${name}${version === undefined ? '' : `/${version}`}${url === undefined ? '' : ` (${url})`}`;
}
