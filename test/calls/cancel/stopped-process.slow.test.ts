import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { program } from '../../support/processes/program.js';
import { scene, WAYS } from '../../support/scene.js';

/** In ms. It passes while the process is stopped. */
const LIMIT = 1_500;

it.each(WAYS)('a response that comes while the process is stopped counts when it goes on (%s)', (over) =>
  scene({ over }, async ({ service }) => {
    const { url, apiKey, apiSecret, ca = '' } = service;
    const respond = service.hold(({ method }) => method === 'POST');
    const caller = program('test/calls/support/stopped-caller.ts');
    const child = spawn(process.execPath, [caller, url, apiKey, apiSecret, String(LIMIT), ca], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const printed = text(child.stdout);
    await service.arrived(2);
    child.kill('SIGSTOP');
    respond();
    await sleep(2 * LIMIT);
    child.kill('SIGCONT');
    expect(await printed).toBe('200');
  }),
);
