import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, createProject } from '../project.mjs';
import { withService } from '../service.mjs';
import { withApplication, withWorker } from './serve.mjs';

const DOCUMENT = join(import.meta.dirname, '../../../docs/start/frameworks.md');
const CLOSING = join(import.meta.dirname, '../../../test/consumers/frameworks');
const MAX_BUILD_MS = 600_000;
const AT_ONCE = 20;

/** How each recipe is started, where its commands have run. `closing`: a program that closes the application itself. */
const RECIPES = {
  Express: { start: ['dist/main.js'] },
  Fastify: { start: ['dist/main.js'], closing: 'fastify.mjs' },
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
      await checkRejected(`${url}${path}/${fixtures.userId}`, variables.PARTNER_BASE_URL);
    }
    await checkDeliveries(`${url}/webhooks/partner`, delivery);
  };
  if (worker !== undefined) {
    const runtime = { workerd, folder: cwd, module: worker, date: '2025-11-01', flags: [] };
    await withWorker({ ...runtime, env: withSecret }, use);
  } else {
    const printed = await withApplication({ cwd, start, env: withSecret }, use);
    assert.equal(printed.match(/settled/g)?.length, 1, `${name}: its function is called once`);
  }
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
  const missing = await fetch(`${url}/no-such-user-here`);
  assert.equal(missing.status, 404, await missing.text());
}

/** The application answers its user with 502, and with nothing of the service's response. */
async function checkRejected(url, service) {
  const body = JSON.stringify([{ match: { operation: 'users.get' }, does: { fault: 429, retryAfterSeconds: 3_600 } }]);
  const asked = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  assert.equal((await fetch(`${service}/_sandbox/troubles/add`, asked)).status, 200);
  const response = await fetch(url);
  assert.deepEqual([response.status, response.headers.get('retry-after')], [502, null]);
  assert.match(await response.text(), /the partner service failed/);
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
