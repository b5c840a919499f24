/** Quotes a string so that a POSIX shell reads it as one word. */
export function shellQuoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | undefined;
}

/** Returns the arguments with which curl sends exactly this request. */
export function curlWords({ method, url, headers, body }: CurlRequest): string[] {
  // After a rejection curl exits with 22, and its body is shown.
  const words = ['curl', '-sS', '--fail-with-body'];
  // curl would read brackets and braces of the URL as patterns, and shorten `/../`.
  words.push('--globoff', '--path-as-is', ...(method === 'GET' ? [] : ['-X', method]), url);
  for (const [name, value] of headers) words.push('-H', `${name}: ${value}`);
  // Not --data: it would read a file for a body that begins with @.
  if (body !== undefined) words.push('--data-raw', body);
  return words;
}
