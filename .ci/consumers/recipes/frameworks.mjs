import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { check, createProject } from '../project.mjs';
import { withService } from '../service.mjs';
import { withApplication, withWorker } from './serve.mjs';

const DOCUMENT = join(import.meta.dirname, '../../../docs/start/frameworks.md');
const HANDLERS = join(import.meta.dirname, '../../../docs/start/error-handlers.md');
const TSX = import.meta.resolve('tsx');
const CLOSING = join(import.meta.dirname, '../../../test/consumers/frameworks');
const MAX_BUILD_MS = 600_000;
const AT_ONCE = 20;

/** How each recipe is started, where its commands have run. `closing`: a program that closes the application itself. */
const RECIPES = {
  Express: { start: ['dist/main.js'] },
  Fastify: { start: ['dist/main.js'], closing: 'fastify.mjs' },
  Koa: { start: ['dist/main.js'] },
  NestJS: { start: ['dist/main.js'], closing: 'nestjs.mjs' },
  'Next.js': { start: ['node_modules/next/dist/bin/next', 'start'], users: ['/users', '/edge'] },
  'Hono on Cloudflare Workers': { worker: 'worker.js' },
};

/**
 * Each recipe of docs/start/frameworks.md: its commands run in an empty folder, with the packed package in place of the
 * published one. Then the application serves requests and deliveries. `service`: a project that has the sandbox;
 * `workerd`: the program.
 */
export async function checkFrameworks({ tarball, directory, service, workerd }) {
  const commands = commandsOf(readFileSync(DOCUMENT, 'utf8'));
  assert.deepEqual(Object.keys(commands), Object.keys(RECIPES));
  for (const [name, recipe] of Object.entries(RECIPES)) {
    const cwd = join(directory, `recipe-${name.replaceAll(/\W/g, '').toLowerCase()}`);
    mkdirSync(cwd, { recursive: true });
    const script = commands[name].replace('npm install partner-sdk ', `npm install ${tarball} `);
    assert.notEqual(script, commands[name]);
    const env = { npm_config_ignore_scripts: 'true', NEXT_TELEMETRY_DISABLED: '1' };
    const bash = ['--norc', '-euo', 'pipefail', '-c', script];
    check(`${name}: its commands in an empty folder`, 'bash', bash, { cwd, env, timeout: MAX_BUILD_MS });
    await withService(service, (env) => serve({ name, recipe, cwd, env, workerd }));
  }
}

/** The frameworks whose users must get nothing of a rejection of the service that the application does not catch. */
const FRAMEWORKS = [
  ...['express@5', 'express4@npm:express@4', 'koa@3', 'fastify@5', 'h3@2', 'h3v1@npm:h3@1'],
  ...['hono@4', '@hono/node-server@2'],
  ...['@nestjs/common@12', '@nestjs/core@12', '@nestjs/platform-express@12', 'reflect-metadata@0.2', 'rxjs@7'],
];

/** An unhandled error of the package, in each of these frameworks. */
export function checkUnhandled({ tarball, directory }) {
  const cwd = createProject(directory, [tarball, ...FRAMEWORKS]);
  const name = 'web frameworks: an unhandled rejection of the service is a plain 500';
  check(name, process.execPath, ['frameworks/unhandled.mjs'], { cwd, env: { NODE_ENV: 'production' } });
  checkHandlers(cwd);
}

/** Each program of docs/start/error-handlers.md, below the page's first lines, prints what the page shows. */
function checkHandlers(cwd) {
  writeFileSync(join(cwd, 'tsconfig.json'), '{ "compilerOptions": { "experimentalDecorators": true } }');
  const [setting, ...programs] = [
    ...readFileSync(HANDLERS, 'utf8').matchAll(/^```ts\n(.*?)^```(?:\n\n```text\n(.*?)^```)?$/gms),
  ];
  assert.ok(programs.length >= 6);
  for (const [index, [, code, output]] of programs.entries()) {
    writeFileSync(join(cwd, `handler-${index}.mts`), `${setting[1]}${code}`);
    const name = `error handlers: the program ${index + 1} of the page`;
    assert.equal(check(name, process.execPath, ['--import', TSX, `handler-${index}.mts`], { cwd }), output);
  }
}

/** The commands under each heading that has some. */
function commandsOf(text) {
  const sections = text.split(/^## /m).slice(1);
  return Object.fromEntries(
    sections.flatMap((section) => {
      const commands = /^```sh\n(.*?)^```$/ms.exec(section)?.[1];
      return commands === undefined ? [] : [[section.split('\n', 1)[0], commands]];
    }),
  );
}

async function serve({ name, recipe: { start, worker, closing, users = ['/users'] }, cwd, env, workerd }) {
  const { ACCEPTANCE, ...variables } = env;
  const { fixtures, delivery } = JSON.parse(ACCEPTANCE);
  const withSecret = { ...variables, PARTNER_WEBHOOK_SECRET: delivery.secret };
  const use = async (url) => {
    for (const path of users) {
      await checkReads(`${url}${path}`, fixtures.userId);
      await checkRejected(`${url}${path}`);
    }
    await checkDeliveries(`${url}/webhooks/partner`, delivery);
  };
  await withRejections(variables.PARTNER_BASE_URL, async (front) => {
    const env = { ...withSecret, PARTNER_BASE_URL: front };
    if (worker !== undefined) {
      const runtime = { workerd, folder: cwd, module: worker, date: '2025-11-01', flags: [] };
      await withWorker({ ...runtime, env }, use);
    } else {
      const printed = await withApplication({ cwd, start, env }, use);
      assert.equal(printed.match(/settled/g)?.length, 1, `${name}: its function is called once`);
    }
  });
  console.log(`ok ${name}: reads and deliveries`);
  if (closing === undefined) return;
  cpSync(join(CLOSING, closing), join(cwd, closing));
  check(`${name}: closes the client`, process.execPath, [closing], { cwd, env: withSecret });
}

async function checkReads(url, userId) {
  const bodies = await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const response = await fetch(`${url}/${userId}`);
      return response.status === 200 ? response.json() : { status: response.status, text: await response.text() };
    }),
  );
  for (const body of bodies) assert.equal(body.id, userId, JSON.stringify(body));
  for (const id of ['no-such-user-here', 'nope']) {
    const missing = await fetch(`${url}/${id}`);
    assert.equal(missing.status, 404, await missing.text());
  }
}

/** Headers of the service that no user of the application may get. */
const OF_THE_SERVICE = { 'set-cookie': 'a=b', 'www-authenticate': 'Basic realm="service"', 'retry-after': '3600' };

/** A proxy in front of the service that rejects reads of the users `rejected-with-…` itself. */
async function withRejections(service, use) {
  const front = http.createServer((request, response) => {
    const { method, headers, url } = request;
    const status = /rejected-with-(\d+)/.exec(url)?.[1];
    if (status !== undefined) {
      response.writeHead(Number(status), { ...OF_THE_SERVICE, 'content-type': 'application/json' });
      response.end('{"error":{"type":"request_error","code":"of_the_service","instance":"in-1","causes":[]}}');
      return;
    }
    const passedOn = http.request(`${service}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    request.pipe(passedOn);
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  try {
    await use(`http://127.0.0.1:${front.address().port}`);
  } finally {
    front.closeAllConnections();
    front.close();
  }
}

/** The application answers its user with 502, and with nothing of the service's response. */
async function checkRejected(url) {
  for (const status of [401, 404, 429]) {
    const response = await fetch(`${url}/rejected-with-${status}`);
    const body = await response.text();
    assert.equal(response.status, 502, body);
    for (const name of Object.keys(OF_THE_SERVICE)) assert.equal(response.headers.get(name), null, name);
    assert.match(body, /the partner service failed/);
    assert.doesNotMatch(body, /of_the_service/);
  }
}

/** A delivery, its repeats, a forged one, and one without proof. */
async function checkDeliveries(url, { body, headers }) {
  const statusOf = async (init) => {
    const response = await fetch(url, { method: 'POST', ...init });
    await response.text();
    return response.status;
  };
  const atOnce = [statusOf({ body, headers }), statusOf({ body, headers })];
  assert.deepEqual(await Promise.all(atOnce), [200, 200]);
  assert.equal(await statusOf({ body, headers }), 200);
  assert.equal(await statusOf({ body: body.replace('evt_', 'evt-'), headers }), 400);
  assert.equal(await statusOf({ body, headers: { 'content-type': 'application/json' } }), 400);
}
