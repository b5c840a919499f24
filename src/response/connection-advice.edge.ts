/** A worker can neither trust a certificate of its own nor show one. Its platform connects. */
export const handshakeAdvice = (_code: string): string => '';
export const proxyAdvice = (_origin: string): string => '';
