import { describe, expect, it } from 'vitest';
import { program, run } from '../../support/processes/program.js';
import { scene, WAYS } from '../../support/scene.js';
import { json, rightAnswer, type Service, status } from '../../support/service.js';
import { certificateFile } from '../../support/tls.js';
import { until } from '../../support/until.js';
import { CONNECTIONS, HELD, type Report } from '../support/many-calls-report.js';

const script = program('test/calls/support/many-calls.ts');

const CALLS = 20_000;

/** What a call may leave behind, in bytes: nothing. The rest is how exactly a heap can be measured. */
const NOISE = 50;

/** What Node itself leaves on a long-lived signal for each `AbortSignal.any` of it (58 bytes in Node 20, without any call). */
const OF_NODE = 70;

/** Milliseconds that a slow machine may take for all of it. */
const PATIENCE_MS = 500_000;

async function report(service: Service, ending: string): Promise<Report> {
  const { url, apiKey, apiSecret } = service;
  const env = service.ca === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificateFile(service.ca) };
  const given = [url, apiKey, apiSecret, ending, String(CALLS)];
  const { stdout } = await run(script, given, { node: ['--expose-gc'], env, patience: PATIENCE_MS });
  return JSON.parse(stdout) as Report;
}

/** Some answers are later than others; to one path there is none. */
function answer(service: Service): void {
  let again = 0;
  service.script = (request) => {
    // The service remembers everything it was sent.
    service.requests.length = 0;
    if (request.path.endsWith(HELD)) return { fault: 'silent' };
    if (request.path === CONNECTIONS) return json(200, { data: service.openConnections });
    if (request.path === '/v1/refused') return status(400);
    again += 1;
    if (request.path === '/v1/refused-once' && again % 2 === 0) return status(429, { 'retry-after': '0' });
    return { ...rightAnswer(request), delay: again % 50 === 0 ? 5 : 0 };
  };
}

interface Ending {
  readonly name: string;
  /** Least numbers of ends. */
  readonly least: Readonly<Record<string, number>>;
  readonly left?: number;
  /**
   * It resets more HTTP/2 streams than Node's server allows a session. That server ends the session then, and forgets to close the socket:
   * its number of open connections says nothing.
   */
  readonly resets?: true;
}

const ENDINGS: readonly Ending[] = [
  { name: 'answered', least: { success: CALLS } },
  {
    name: 'refused, repeated, late or wrong',
    least: { success: 1, BadRequestError: CALLS / 5, RequestValidationError: CALLS / 5, TimeoutError: 1 },
  },
  { name: 'aborted one by one', least: { AbortedError: CALLS / 2 }, left: OF_NODE, resets: true },
  { name: 'aborted by followers', least: { AbortedError: CALLS / 20 }, resets: true },
  { name: 'aborted all at once', least: { AbortedError: CALLS } },
  { name: 'aborted beforehand', least: { AbortedError: CALLS } },
];

describe.each(WAYS)('20,000 calls on one long-lived signal leave nothing behind (%s)', (over) => {
  it.each(ENDINGS)('$name', { timeout: 600_000 }, ({ name, least, left = 0, resets }) =>
    scene({ over }, async ({ service }) => {
      answer(service);
      const found = await report(service, name);
      expect(Object.values(found.ends).reduce((sum, number) => sum + number)).toBe(CALLS);
      for (const [end, number] of Object.entries(least)) expect(found.ends[end], end).toBeGreaterThanOrEqual(number);
      expect(found.warnings).toEqual([]);
      expect(found.listeners).toBe(0);
      expect(found.stats).toMatchObject({ running: 0, lanes: [{ inFlight: 0, waiting: 0 }] });
      // An idle connection keeps no process alive; it may show where it has just become idle.
      expect(['', 'TCPSocketWrap']).toContain(found.open.join());
      if (over === 'http' || !resets) expect(found.connections.open).toBe(found.connections.known);
      expect(found.connections.known).toBeLessThanOrEqual(over === 'http2' ? 1 : 64);
      expect(found.grown / CALLS, 'bytes left per call').toBeLessThan(NOISE + left);
      expect(found.closed).toEqual([]);
      if (over === 'http' || !resets) await until(() => service.openConnections === 0, 'no connection is open');
    }),
  );
});
