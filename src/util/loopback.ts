/** True for `localhost` and loopback addresses. `api.localhost` may ask the network. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/** True for plain http to another machine, where anyone on the way reads the keys. */
export const isInsecure = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && !isLoopback(hostname);
