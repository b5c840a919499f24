/** True for `localhost` and loopback addresses. `api.localhost` may ask the network. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

const NAME = /^([a-z\d_-]+|.+\.(localhost|internal|local))$/;
const ADDRESS = /^(10(\.\d+){3}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|192\.168(\.\d+){2})$/;

/**
 * True for a host that is not reached from the internet, as `URL` writes it: loopback, a private
 * address, a name without a dot (`application`, of a container) or below `localhost`, `internal`
 * (`host.docker.internal`) or `local` (`hooks.default.svc.cluster.local`).
 */
export const isPrivateHost = (hostname: string): boolean =>
  isLoopback(hostname) || NAME.test(hostname) || ADDRESS.test(hostname) || /^\[f[cd]/.test(hostname);

/** True for plain http to another machine, where anyone on the way can read the API keys. */
export const isInsecure = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && !isLoopback(hostname);
