import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, describe, expect, it } from 'vitest';
import { GET, KEYED, scene } from '../../support/scene.js';
import { status } from '../../support/service.js';
import { HOOKS, recorder } from '../support/recorder.js';

const now = { 'retry-after': '0' };
const CHANNELS = ['start', 'request', 'response', 'attempt-end', 'retry', 'error', 'end'];

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** Everything that the channels carry, in its order. */
function listen(names: readonly string[] = CHANNELS): [name: string, event: unknown][] {
  const heard: [string, unknown][] = [];
  for (const name of names) {
    const listener = (event: unknown) => void heard.push([name, event]);
    subscribe(`partner-sdk:${name}`, listener);
    ends.push(() => unsubscribe(`partner-sdk:${name}`, listener));
  }
  return heard;
}

describe('the diagnostics channels', () => {
  it('carry the same objects as the hooks, in the same order', async () => {
    const heard = listen();
    const { told, hooks } = recorder();
    await scene({ answers: [status(503, now)], client: { hooks } }, async ({ client }) => {
      await KEYED.invoke(client);
    });
    expect(told.map(({ name }) => CHANNELS[HOOKS.indexOf(name as (typeof HOOKS)[number])])).toEqual(
      heard.map(([name]) => name),
    );
    for (const [place, { event }] of told.entries()) expect(heard[place]?.[1]).toBe(event);
  });

  it('are heard by who subscribes after the client was made, and cost nothing before and after', async () => {
    await scene({}, async ({ client }) => {
      await GET.invoke(client);
      const heard = listen(['end']);
      await GET.invoke(client);
      expect(heard).toHaveLength(1);
      ends.pop()?.();
      await GET.invoke(client);
      expect(heard).toHaveLength(1);
    });
  });

  it('do not pass what a subscriber throws to the call', async () => {
    const thrown: unknown[] = [];
    const catcher = (error: unknown) => void thrown.push(error);
    const before = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException').on('uncaughtException', catcher);
    const broken = () => {
      throw new Error('subscriber is broken');
    };
    subscribe('partner-sdk:request', broken);
    ends.push(() => unsubscribe('partner-sdk:request', broken));
    try {
      await scene({}, async ({ client, service }) => {
        await GET.invoke(client);
        expect(service.requests).toHaveLength(1);
      });
      expect(thrown).toEqual([new Error('subscriber is broken')]);
    } finally {
      process.removeAllListeners('uncaughtException');
      for (const listener of before) process.on('uncaughtException', listener);
    }
  });
});
