/** A failure as the system or undici names it. */
interface SystemFailure {
  /** `ECONNREFUSED`, `UND_ERR_SOCKET`, … */
  readonly code: string;
  /** The call that failed: `connect`, `read`, `getaddrinfo`, … */
  readonly syscall?: unknown;
  /** Where `connect` failed. */
  readonly address?: unknown;
  readonly port?: unknown;
}

/** Returns the failure of the system or undici behind an error, up to three causes deep. */
export function systemFailure(error: unknown): SystemFailure | undefined {
  for (let level = error, depth = 0; level instanceof Error && depth < 3; level = level.cause, depth++) {
    const { code, syscall, address, port } = level as Partial<SystemFailure>;
    if (typeof code === 'string') return { code, syscall, address, port };
  }
  return undefined;
}

export function systemCode(error: unknown): string | undefined {
  return systemFailure(error)?.code;
}
