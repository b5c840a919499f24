/** What the system or undici says of a failure. */
interface SystemFailure {
  /** `ECONNREFUSED`, `UND_ERR_SOCKET`, … */
  readonly code: string;
  /** What failed: `connect`, `read`, `getaddrinfo`, … */
  readonly syscall?: unknown;
}

/** The system's or undici's failure behind an error, also when `fetch` hid it in the cause. */
export function systemFailure(error: unknown): SystemFailure | undefined {
  for (let level = error, depth = 0; level instanceof Error && depth < 3; level = level.cause, depth++) {
    if ('code' in level && typeof level.code === 'string') return level as Error & SystemFailure;
  }
  return undefined;
}

export function systemCode(error: unknown): string | undefined {
  return systemFailure(error)?.code;
}
