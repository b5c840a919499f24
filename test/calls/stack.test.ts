import { createRequire } from 'node:module';
import pino from 'pino';
import { expect, test } from 'vitest';
import { PartnerClient, type PartnerError } from '../../src/index.js';
import { opentelemetryHooks } from '../../src/opentelemetry/index.js';
import { createSandbox } from '../../src/sandbox/index.js';
import { registered, telemetry } from '../opentelemetry/support/telemetry.js';
import { GET, scene } from '../support/scene.js';
import { status } from '../support/service.js';

registered();

const { stacksWithoutCaller } = createRequire(import.meta.url)('../consumers/stacks.cjs') as {
  stacksWithoutCaller(
    sources: object,
    more: Record<string, object>,
    stackOf: (error: Error) => unknown,
  ): Promise<string[]>;
};

const stackOf = ({ stack }: PartnerError): unknown => stack;

/** The `err.stack` of pino's line, which begins with `error.stack`; the causes follow. */
function stackInLog(error: Error): unknown {
  const lines: string[] = [];
  pino({}, { write: (line: string) => lines.push(line) }).error({ err: error }, 'a call failed');
  const { stack } = JSON.parse(lines.join('')).err;
  return stack.startsWith(error.stack ?? '-') ? stack : undefined;
}

test('the stack of an error names the function that made the call, in each way to make one', async () => {
  const { tracerProvider, meterProvider } = telemetry();
  const more = { opentelemetryHooks: { hooks: opentelemetryHooks({ tracerProvider, meterProvider }) } };
  expect(await stacksWithoutCaller({ PartnerClient, createSandbox }, more, stackInLog)).toEqual([]);
});

test('the first handler of an error is named, and once', () =>
  scene({ answers: [status(404)] }, async ({ client }) => {
    const call = GET.invoke(client);
    const handledFirst = () => call.then(undefined, stackOf);
    const handledNext = () => call.catch(stackOf);
    const [stack] = await Promise.all([handledFirst(), handledNext()]);
    expect(String(stack).match(/handledFirst/g)).toHaveLength(1);
    expect(stack).not.toContain('handledNext');
  }));

test('an application that wants no stacks, or forms them itself, gets what it wants', async () => {
  const { stackTraceLimit, prepareStackTrace } = Error;
  await scene({ answers: [status(404), status(404)] }, async ({ client }) => {
    try {
      Error.stackTraceLimit = 0;
      expect(await GET.invoke(client).catch(stackOf)).toMatch(/^NotFoundError: [^\n]*$/);
      Error.stackTraceLimit = stackTraceLimit;
      Error.prepareStackTrace = () => 4711;
      expect(await GET.invoke(client).catch(stackOf)).toBe(4711);
    } finally {
      Object.assign(Error, { stackTraceLimit, prepareStackTrace });
    }
  });
});
