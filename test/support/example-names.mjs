// Webhooks of the tests go to names under `.example`, which belong to nobody. If a name server is slow, looking such
// a name up takes one of the process's four threads for seconds, and `localhost` waits behind it.
import dns from 'node:dns';

const { lookup } = dns;
const { setImmediate } = globalThis;

dns.lookup = (hostname, ...rest) => {
  if (!String(hostname).endsWith('.example')) return lookup(hostname, ...rest);
  const facts = { errno: -3008, code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname };
  setImmediate(rest.at(-1), Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), facts));
};
