/** `node stripe.mjs ORIGIN PATH`: one request by stripe's client, for a quote or a page. */
import Stripe from 'stripe';

const [origin, path] = process.argv.slice(2);
const { hostname, port } = new URL(origin);
const stripe = new Stripe('sk_test_x', { host: hostname, port: Number(port), protocol: 'http' });
const { data } = await stripe.rawRequest('GET', path);
const milliseconds = performance.now();
const { user, system } = process.cpuUsage();
const answer = data.to?.amount ?? data.at(-1).fees.to.amount;
console.log(JSON.stringify({ milliseconds, cpu: (user + system) / 1000, answer }));
process.exit();
