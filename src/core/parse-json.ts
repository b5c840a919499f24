export const NO_JSON: unique symbol = Symbol('no JSON');

/** The value of a JSON text; `NO_JSON` when it is none. The parser's own message is not kept: it would quote the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return NO_JSON;
  }
}
