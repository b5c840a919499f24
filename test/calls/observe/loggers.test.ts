import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { createLogger, format, transports } from 'winston';
import { pinoLogger } from '../../../src/index.js';
import { failure, GET, KEYED, scene } from '../../support/scene.js';
import { status } from '../../support/service.js';
import { type Logger, warningsOf } from '../support/recorder.js';

type Line = Readonly<Record<string, unknown>>;

function lines(): { readonly stream: Writable; readonly read: Line[] } {
  const read: Line[] = [];
  const write = (chunk: Buffer, _encoding: string, done: () => void) => {
    for (const line of String(chunk).split('\n')) if (line !== '') read.push(JSON.parse(line) as Line);
    done();
  };
  return { stream: new Writable({ write }), read };
}

async function logged(logger: Logger): Promise<void> {
  const answers = [status(503, { 'retry-after': '0' }), status(404)];
  await scene({ answers, client: { logger } }, async ({ client }) => {
    await failure(KEYED.invoke(client));
  });
}

function expectFields(read: readonly Line[], message: string, levels: Readonly<Record<string, unknown>>): void {
  expect(read.map((line) => line[message])).toEqual([
    'partner-sdk request',
    'partner-sdk response',
    'partner-sdk retries',
    'partner-sdk request',
    'partner-sdk response',
    'partner-sdk call failed',
  ]);
  for (const line of read) {
    expect(line).toMatchObject({
      operation: 'funds.withdrawalAddresses.save',
      method: 'POST',
      callId: read[0]?.['callId'],
    });
  }
  expect(read[1]).toMatchObject({ level: levels['debug'], attempt: 1, status: 503, queueTime: expect.any(Number) });
  expect(read[2]).toMatchObject({ level: levels['warn'], reason: 'status', status: 503, delayMs: 0 });
  expect(read[5]).toMatchObject({
    level: levels['error'],
    outcome: 'unknown',
    attempts: 2,
    error: { name: 'NotFoundError', response: { status: 404 } },
  });
}

const PINO_LEVELS = { debug: 20, warn: 40, error: 50 };

describe('a logger of pino', () => {
  const made: Readonly<Record<string, (stream: Writable) => Logger>> = {
    'as it is': (stream) => pino({ level: 'debug' }, stream),
    'a child of one': (stream) => pino({ level: 'debug' }, stream).child({ service: 'payouts' }),
    'with pinoLogger': (stream) => pinoLogger(pino({ level: 'debug' }, stream)),
    'with pinoLogger, behind an object of its own': (stream) => {
      const own = pino({ level: 'debug' }, stream);
      return pinoLogger({
        debug: (fields, message) => own.debug(fields, message),
        warn: (fields, message) => own.warn(fields, message),
        error: (fields, message) => own.error(fields, message),
      });
    },
  };
  it.each(Object.entries(made))('%s gets every field and message', async (_, make) => {
    const { stream, read } = lines();
    await logged(make(stream));
    expectFields(read, 'msg', PINO_LEVELS);
  });

  it('writes nothing below its level', async () => {
    const { stream, read } = lines();
    await logged(pino({ level: 'error' }, stream));
    expect(read.map(({ msg }) => msg)).toEqual(['partner-sdk call failed']);
  });
});

describe('a logger of winston', () => {
  it('gets every field and message', async () => {
    const { stream, read } = lines();
    await logged(
      createLogger({ level: 'debug', format: format.json(), transports: [new transports.Stream({ stream })] }),
    );
    expectFields(read, 'message', { debug: 'debug', warn: 'warn', error: 'error' });
  });
});

describe('console', () => {
  it('gets the message first', async () => {
    const spies = (['debug', 'warn', 'error'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation(() => undefined),
    );
    try {
      await logged(console);
      expect(spies.flatMap((spy) => spy.mock.calls).map(([message]) => message)).toContain('partner-sdk call failed');
      expect(spies[2]?.mock.calls[0]?.[1]).toMatchObject({ outcome: 'unknown' });
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  });
});

describe('a logger of the application', () => {
  it('keeps its this, may have some of the levels, and may be a class', async () => {
    class OnlyErrors {
      readonly messages: string[] = [];
      error(message: string): void {
        this.messages.push(message);
      }
    }
    const logger = new OnlyErrors();
    await logged(logger);
    expect(logger.messages).toEqual(['partner-sdk call failed']);
  });

  it('with a member that cannot be read changes no call', async () => {
    const unreadable = () => {
      throw new Error('not readable');
    };
    const logger = new Proxy({}, { get: unreadable, has: unreadable });
    await warningsOf(() => scene({ client: { logger } }, ({ client }) => GET.invoke(client).then()));
  });
});
