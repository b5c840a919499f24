// Runs a recipe of docs/operate/observability.md against the sandbox, and looks at the spans, metrics and headers of its
// requests. Arguments: the file that is preloaded, and the program (default `main.mjs`, with our hooks). Prints nothing
// when all is right.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer, request as send } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { createSandbox } from 'partner-sdk/sandbox';

const [preload, program = 'main.mjs'] = process.argv.slice(2);
const bare = preload.startsWith('bare-');
const hooked = program === 'main.mjs';
const sentry = preload.endsWith('instrument.mjs');

async function serve(answer) {
  const server = createServer(answer);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${server.address().port}` };
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  return request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
}

// The collector of either kind keeps every line of JSON.
const received = [];
const collector = await serve(async (request, response) => {
  for (const line of (await bodyOf(request)).toString().split('\n')) if (line !== '') received.push(JSON.parse(line));
  response.setHeader('content-type', 'application/json').end('{}');
});

// The service, behind a server that notes what arrives.
const sandbox = createSandbox({ seed: 1 });
const { url } = await sandbox.listen({ port: 0 });
const webhook = sandbox.webhooks.register({ url });
const arrived = [];
const front = await serve(async (request, response) => {
  const { method, headers, url: path } = request;
  arrived.push(Object.keys(headers).filter((name) => /trace|baggage/.test(name)));
  const body = await bodyOf(request);
  send(url + path, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  }).end(body);
});

const env = {
  ...process.env,
  PARTNER_BASE_URL: front.url,
  PARTNER_API_KEY: sandbox.credentials.apiKey,
  PARTNER_API_SECRET: sandbox.credentials.apiSecret,
  SENTRY_DSN: `${collector.url.replace('//', '//key@')}/1`,
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  OTEL_METRICS_EXPORTER: 'otlp',
};
const child = spawn(process.execPath, ['--import', `./${preload}`, program], { env, stdio: ['ignore', 'pipe', 2] });
let printed = '';
child.stdout.on('data', (chunk) => {
  printed += chunk;
});
const code = await new Promise((resolve) => child.once('close', resolve));
assert.equal(code, 0);
assert.ok(printed.includes(webhook.id), printed);
assert.ok(arrived.length > 0);

const ours = { call: 'webhooks.list', attempt: 'GET /v1/webhooks' };
if (sentry) {
  const spans = received.flatMap((item) => item.items ?? []).filter((item) => item.span_id !== undefined);
  const named = (name) => spans.filter((span) => span.name === name);
  const own = spans.filter((span) => span.attributes?.['sentry.origin']?.value === 'auto.http.node_fetch');
  assert.equal(named(ours.call).length, hooked ? arrived.length : 0);
  assert.equal(named(ours.attempt).length, hooked ? arrived.length : 0);
  for (const { parent_span_id } of named(ours.attempt)) {
    assert.ok(named(ours.call).some(({ span_id }) => span_id === parent_span_id));
  }
  assert.equal(own.length, hooked ? 0 : arrived.length, 'no client span beside ours');
  const sent = bare ? ['baggage', 'sentry-trace'] : [];
  for (const names of arrived) assert.deepEqual(names.toSorted(), sent);
} else {
  const scopes = received.flatMap((item) => item.resourceSpans ?? []).flatMap((item) => item.scopeSpans);
  const spans = scopes.flatMap(({ scope, spans }) => spans.map(({ name, kind }) => [scope.name, kind, name]));
  const CLIENT = 3;
  const client = spans.filter(([, kind]) => kind === CLIENT);
  const expected = hooked
    ? ['partner-sdk', CLIENT, ours.attempt]
    : ['@opentelemetry/instrumentation-undici', CLIENT, 'GET'];
  assert.deepEqual(
    client,
    arrived.map(() => expected),
  );
  assert.equal(spans.filter(([, , name]) => name === ours.call).length, hooked ? arrived.length : 0);
  const meters = received
    .flatMap((item) => item.resourceMetrics ?? [])
    .flatMap((item) => item.scopeMetrics)
    .filter(({ metrics }) => metrics.some(({ name }) => name === 'http.client.request.duration'));
  const measured = [...(hooked ? ['partner-sdk'] : []), ...(bare ? ['@opentelemetry/instrumentation-undici'] : [])];
  assert.deepEqual([...new Set(meters.map(({ scope }) => scope.name))].toSorted(), measured.toSorted());
  for (const names of arrived) assert.deepEqual(names, hooked ? [] : ['traceparent']);
}

await sandbox.close();
for (const { server } of [collector, front]) {
  server.closeAllConnections();
  server.close();
}
