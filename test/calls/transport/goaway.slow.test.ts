import { describe, expect, it, onTestFinished } from 'vitest';
import { PartnerClient, TimeoutError, undiciTransport } from '../../../src/index.js';
import { Http2Edge } from '../../chaos/edge/http2.js';
import type { SessionFate } from '../../chaos/edge/session-fate.js';
import { ChaosLink } from '../../chaos/link/link.js';
import { certificateFor } from '../../support/certificate.js';
import { ACCOUNT, type ClientOptions, failure, METHOD_ID, USER } from '../../support/scene.js';
import { Service } from '../../support/service.js';

const certificate = certificateFor('localhost');

/** A session that lasts. */
const LASTING: SessionFate = {
  maxStreams: 100,
  end: 'goaway',
  endsAfter: 1e9,
  holds: 0,
  faultOf: () => undefined,
  codeOf: () => 0,
};

function closing<T extends { close(): Promise<void> }>(one: T): T {
  onTestFinished(() => one.close());
  return one;
}

/** A service behind an edge that speaks HTTP/2, whose sessions end as `fate` says, and a link whose first connection `still()` stops. */
async function open(options: ClientOptions, fate: Partial<SessionFate> = {}, still = () => false) {
  const service = closing(await Service.start());
  const edge = closing(
    await Http2Edge.start(service.port, {
      seed: 1,
      phase: '',
      certificate,
      fateOf: () => ({ ...LASTING, ...fate }),
      protocolOf: () => 'h2',
    }),
  );
  const link = closing(
    await ChaosLink.start(edge.port, {
      seed: 1,
      phase: '',
      encrypted: true,
      fateOf: (connection) => ({
        refused: false,
        silences: false,
        garblesFirst: false,
        lateBy: undefined,
        strikes: [],
        opensAfter: 0,
        jitter: () => (connection === 0 && still() ? FOR_EVER_MS : 0),
      }),
    }),
  );
  const { apiKey, apiSecret } = service;
  const transport = undiciTransport({ tls: { ca: certificate.cert } });
  const client = closing(new PartnerClient({ baseUrl: link.url, apiKey, apiSecret, transport, ...options }));
  return { service, edge, link, client };
}

const FOR_EVER_MS = 1e9;

/** Reads, keyed writes and writes without key, each with a body of its own. */
function calls(client: PartnerClient, count: number): Promise<unknown>[] {
  return Array.from({ length: count }, (_, place) => {
    if (place % 3 === 0) return client.users.get(USER);
    const key = `number ${place}`;
    if (place % 3 === 1) return client.request({ method: 'POST', path: '/v1/things', body: { key } });
    const body = { asset_symbol: 'BTC', method_id: METHOD_ID, key, address: 'bc1' };
    return client.funds.withdrawalAddresses.save(ACCOUNT, body);
  });
}

const uniqueNonces = ({ wire }: Http2Edge): number => new Set(wire.map(({ nonce }) => nonce)).size;

describe.each<ClientOptions>([{}, { maxRetries: 0 }])('500 calls with %o', (options) => {
  it.each([
    ['a GOAWAY after every 10 streams', 10, 0],
    ['every 5th stream refused', Number.POSITIVE_INFINITY, 5],
    ['both', 10, 5],
  ])('%s: each write is applied at most once, and the retry budget is whole', async (_what, perSession, every) => {
    let streams = 0;
    const faultOf = () => (every > 0 && ++streams % every === 0 ? 'refused' : undefined);
    const { service, edge, client } = await open(options, { endsAfter: perSession, faultOf });
    const ends = await Promise.allSettled(calls(client, 500));
    const failures = ends.flatMap((end, place) => (end.status === 'rejected' ? [{ place, error: end.reason }] : []));
    // Once a session has announced its end, the reset of a stream no longer proves that the service has not begun with it.
    const isDoubted = perSession === 10 && every > 0;
    const codes = ['ERR_HTTP2_GOAWAY_SESSION', ...(isDoubted ? ['ERR_HTTP2_STREAM_ERROR'] : [])];
    // A write without key is not repeated if a GOAWAY alone disowns it. This edge has not begun with it.
    const others = failures.filter(({ place }) => place % 3 !== 1);
    if (!isDoubted || options.maxRetries !== 0) expect(others).toEqual([]);
    for (const { place, error } of failures) {
      expect(error).toMatchObject({ outcome: place % 3 === 0 ? 'not_applied' : 'unknown' });
      expect(codes).toContain(error.code);
    }
    expect(failures.length > 0).toBe(perSession === 10);
    const applied = service.requests.filter(({ method, status }) => method === 'POST' && status === 200);
    expect(applied).toHaveLength(333 - failures.filter(({ place }) => place % 3 !== 0).length);
    expect(new Set(applied.map(({ body }) => String(body))).size).toBe(applied.length);
    const { retryBudget, lanes } = client.stats();
    expect(retryBudget).toEqual({ available: 500, capacity: 500 });
    expect(lanes[0]?.way).toBe('http2');
    expect(uniqueNonces(edge)).toBe(edge.wire.length);
    if (perSession === 10) expect(edge.faults.get('edge: goaway')).toBeGreaterThanOrEqual(40);
    if (every > 0) expect(edge.wire.length).toBeGreaterThan(550);
  });
});

describe('a session that neither reads nor answers any more', () => {
  it('costs its calls their attempt, and the next ones go over a new session', async () => {
    let still = false;
    const { edge, link, client } = await open({ attemptTimeout: 3_000, maxRetries: 0 }, {}, () => still);
    for (let place = 1; place < 5; place++) await client.users.get(USER);
    still = true;
    const stalled = await Promise.all(Array.from({ length: 8 }, () => failure(client.users.get(USER))));
    for (const error of stalled) expect(error).toBeInstanceOf(TimeoutError);
    await Promise.all(calls(client, 30));
    expect(link.made).toBe(2);
    // One whose body made it late is refused, and made again.
    const { races } = client.stats().lanes[0] ?? { races: 0 };
    expect(edge.wire.filter(({ connection }) => connection === 1)).toHaveLength(30 + races);
  });

  it('costs calls that may be repeated nothing but time', async () => {
    const { edge, link, client } = await open({ attemptTimeout: 1_200 }, {}, () => edge.wire.length > 4);
    const ends = await Promise.allSettled(calls(client, 40));
    // Every third is a write without key: what was in flight of those is lost.
    const repeatable = ends.filter((_end, place) => place % 3 !== 1);
    expect(repeatable.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(link.made).toBeGreaterThan(1);
    expect(uniqueNonces(edge)).toBe(edge.wire.length);
  });
});
