import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest';
import type * as edgeEntry from '../../src/edge.js';
import type * as nodeEntry from '../../src/index.js';
import * as edgeAdvice from '../../src/response/connection-advice.edge.js';
import * as nodeAdvice from '../../src/response/connection-advice.js';
import * as edgeScope from '../../src/runtime/async-scope.edge.js';
import { decimalOf } from '../../src/schema/parse-decimal.js';
import * as edgeSigner from '../../src/signing/signer.edge.js';
import { HmacSigner } from '../../src/signing/signer.js';
import * as edgeDefault from '../../src/transport/default.edge.js';
import * as edgeTimers from '../../src/util/timers.edge.js';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

describe('the files for edge runtimes', () => {
  it('sign as the files for Node do', async () => {
    const input = fc.record({
      method: fc.constant('POST'),
      path: fc.webPath().map((path) => encodeURI(path)),
      nonce: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
      body: fc.option(fc.uint8Array(), { nil: undefined }),
      apiKey: fc.constant('key'),
      apiSecret: fc
        .uint8Array({ minLength: 1, maxLength: 200 })
        .map((secret) => Buffer.from(secret).toString('base64')),
    });
    const [node, edge] = [new HmacSigner(), new edgeSigner.HmacSigner()];
    await fc.assert(
      fc.asyncProperty(input, async (one) => {
        expect(await edge.sign(one)).toBe(node.sign(one));
      }),
      { numRuns: 50 },
    );
  });

  it('refuse to sign without a secret', async () => {
    const input = { method: 'GET', path: '/', nonce: '1', body: undefined, apiKey: 'key', apiSecret: undefined };
    await expect(new edgeSigner.HmacSigner().sign(input)).rejects.toThrow('needs an apiSecret');
  });

  it('give each client a transport of its own: no request waits for the timers of another', () => {
    expect(edgeDefault.defaultTransport().name).toBe('fetch');
    expect(edgeDefault.defaultTransport()).not.toBe(edgeDefault.defaultTransport());
  });

  it('read every amount as the files for Node do', async () => {
    vi.resetModules();
    vi.doMock('../../src/schema/short-decimal.js', () => import('../../src/schema/short-decimal.edge.js'));
    const edge = await import('../../src/schema/parse-decimal.js');
    vi.doUnmock('../../src/schema/short-decimal.js');
    const amounts = fc.oneof(fc.stringMatching(/^-?\d{1,9}(\.\d{1,9})?$/), fc.string());
    fc.assert(
      fc.property(amounts, (text) => {
        expect(edge.decimalOf(text)?.toFixed()).toBe(decimalOf(text)?.toFixed());
      }),
    );
  });

  it('give no advice about certificates: a worker can neither trust nor show one of its own', () => {
    expect(nodeAdvice.handshakeAdvice('SELF_SIGNED_CERT_IN_CHAIN')).toContain('NODE_EXTRA_CA_CERTS');
    expect(edgeAdvice.handshakeAdvice('SELF_SIGNED_CERT_IN_CHAIN')).toBe('');
  });

  it('give no advice about a proxy: the platform of a worker connects', () => {
    vi.stubEnv('HTTPS_PROXY', 'http://proxy.test');
    expect(nodeAdvice.proxyAdvice('https://api.test')).toContain('HTTPS_PROXY');
    expect(edgeAdvice.proxyAdvice('https://api.test')).toBe('');
  });

  it('give no advice about a proxy where the environment must not be read, as in Deno', () => {
    const { env } = process;
    onTestFinished(() => {
      process.env = env;
    });
    const refuse = () => {
      throw new Error('NotCapable');
    };
    process.env = new Proxy({ HTTPS_PROXY: 'x' }, { get: refuse, getOwnPropertyDescriptor: refuse });
    expect(nodeAdvice.proxyAdvice('https://api.test')).toBe('');
  });

  it('run timers once, and not when they are cancelled', async () => {
    const fired: string[] = [];
    const listener = (name: string) => ({ dueAt: performance.now() + 5, onTimer: () => fired.push(name) });
    edgeTimers.startTimer(5, listener('cancelled')).cancel();
    await new Promise((resolve) => edgeTimers.startTimer(5, { dueAt: 0, onTimer: () => resolve(fired.push('due')) }));
    expect(fired).toEqual(['due']);
  });

  it('keep the asynchronous context where the runtime has one', () => {
    const storage = new AsyncLocalStorage<string>();
    const scope = storage.run('call', () => edgeScope.currentScope());
    expect(scope).toBeDefined();
    expect(storage.run('other', () => scope?.runInAsyncScope(() => storage.getStore()))).toBe('call');

    vi.stubGlobal('process', undefined);
    expect(edgeScope.currentScope()).toBeUndefined();
    vi.stubGlobal('AsyncLocalStorage', AsyncLocalStorage);
    const vercel = storage.run('call', () => edgeScope.currentScope());
    expect(vercel?.runInAsyncScope(() => storage.getStore())).toBe('call');
  });

  it('stand beside a file for Node, and have its values', async () => {
    const all = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((file) => `src/${file}`);
    const files = all.filter((file) => file.endsWith('.edge.ts'));
    expect(files.length).toBeGreaterThan(4);
    for (const file of files) expect(existsSync(file.replace('.edge.ts', '.ts')), file).toBe(true);
    for (const file of files) expect(readFileSync(file, 'utf8'), file).not.toMatch(/from '(node:|undici)/);
  });

  it('export what the entry for Node does, without what needs Node', () => {
    expectTypeOf<Exclude<keyof typeof nodeEntry, keyof typeof edgeEntry>>().toEqualTypeOf<'undiciTransport'>();
    expectTypeOf<Exclude<keyof typeof edgeEntry, keyof typeof nodeEntry>>().toEqualTypeOf<never>();
  });
});
