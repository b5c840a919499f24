/** The system's or undici's code of a failure (`ECONNREFUSED`, `UND_ERR_SOCKET`, …), also when `fetch` hid it in the cause. */
export function systemCode(error: unknown): string | undefined {
  for (let level = error, depth = 0; level instanceof Error && depth < 3; level = level.cause, depth++) {
    const { code } = level as { code?: unknown };
    if (typeof code === 'string') return code;
  }
  return undefined;
}
