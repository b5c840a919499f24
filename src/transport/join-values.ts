type Headers = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/**
 * Names in lower case, repeated headers as one value, as fetch shows them. The pseudo-headers of HTTP/2 (`:status`) are
 * left out.
 */
export function joinValues(headers: Headers): Record<string, string> {
  for (const name of Object.keys(headers)) {
    if (typeof headers[name] !== 'string' || name !== name.toLowerCase()) return joinedCopy(headers);
  }
  // undici gives them so nearly always.
  return headers as Record<string, string>;
}

function joinedCopy(headers: Headers): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value === undefined || name.startsWith(':')) continue;
    joined[name.toLowerCase()] = typeof value === 'object' ? value.join(', ') : String(value);
  }
  return joined;
}
