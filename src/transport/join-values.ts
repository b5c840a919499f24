/** Names in lower case, repeated headers as one value, as fetch shows them. Nearly always they are so already. */
export function joinValues(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  for (const name in headers) {
    if (typeof headers[name] !== 'string' || name !== name.toLowerCase()) return joinedCopy(headers);
  }
  return headers as Record<string, string>;
}

function joinedCopy(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) joined[name.toLowerCase()] = typeof value === 'string' ? value : value.join(', ');
  }
  return joined;
}
