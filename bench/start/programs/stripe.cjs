/** `node stripe.cjs ORIGIN PATH`: one request by stripe's client, for a quote or a page. */
const Stripe = require('stripe');

async function main([origin, path]) {
  const { hostname, port } = new URL(origin);
  const stripe = new Stripe('sk_test_x', { host: hostname, port: Number(port), protocol: 'http' });
  const { data } = await stripe.rawRequest('GET', path);
  const milliseconds = performance.now();
  const { user, system } = process.cpuUsage();
  const answer = data.to?.amount ?? data.at(-1).fees.to.amount;
  console.log(JSON.stringify({ milliseconds, cpu: (user + system) / 1000, answer }));
  process.exit();
}

main(process.argv.slice(2));
