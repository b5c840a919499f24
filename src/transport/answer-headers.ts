type Headers = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** Returns headers as `fetch` has them: names in lower case, values joined, no `:status`. */
export function answerHeaders(headers: Headers): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value === undefined || name.startsWith(':')) continue;
    joined[name.toLowerCase()] = typeof value === 'object' ? value.join(', ') : String(value);
  }
  return joined;
}
