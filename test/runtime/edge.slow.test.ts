import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest';
import { currentScope } from '../../src/call/call-events.js';
import type * as edgeEntry from '../../src/edge.js';
import type * as nodeEntry from '../../src/index.js';
import * as edgeCrypto from '../../src/runtime/crypto.edge.js';
import * as nodeCrypto from '../../src/runtime/crypto.js';
import * as edgeDefault from '../../src/transport/default.edge.js';
import * as nodeDefault from '../../src/transport/default.js';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

describe('a runtime without modules of Node', () => {
  it('has asynchronous contexts only where they are a global', () => {
    const storage = new AsyncLocalStorage<string>();
    const scope = storage.run('call', currentScope);
    expect(storage.run('other', () => scope?.runInAsyncScope(() => storage.getStore()))).toBe('call');

    vi.stubGlobal('process', undefined);
    expect(currentScope()).toBeUndefined();
    vi.stubGlobal('AsyncLocalStorage', AsyncLocalStorage);
    const vercel = storage.run('call', currentScope);
    expect(storage.run('other', () => vercel?.runInAsyncScope(() => storage.getStore()))).toBe('call');
  });

  it('may refuse to give them, as that of Next.js', () => {
    const refuse = () => {
      throw new Error('not supported');
    };
    vi.stubGlobal('process', { getBuiltinModule: refuse });
    expect(currentScope()).toBeUndefined();
  });
});

describe('the files for edge runtimes', () => {
  it('sign as the files for Node do', async () => {
    const path = fc.webPath().map((path) => encodeURI(path));
    const nonce = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String);
    const body = fc.option(fc.uint8Array(), { nil: undefined });
    const secret = fc
      .uint8Array({ minLength: 1, maxLength: 200 })
      .map((bytes) => Buffer.from(bytes).toString('base64'));
    await fc.assert(
      fc.asyncProperty(secret, path, nonce, body, async (secret, ...input) => {
        const ofNode = nodeCrypto.requestSignature(nodeCrypto.signingKey(secret), ...input);
        expect(await edgeCrypto.requestSignature(edgeCrypto.signingKey(secret), ...input)).toBe(ofNode);
      }),
      { numRuns: 50 },
    );
  });

  it('give each client a transport of its own: no request waits for the timers of another', () => {
    expect(edgeDefault.defaultTransport().name).toBe('fetch');
    expect(edgeDefault.defaultTransport()).not.toBe(edgeDefault.defaultTransport());
  });

  it('give no advice about certificates: a worker can neither trust nor show one of its own', () => {
    expect(nodeDefault.handshakeAdvice('SELF_SIGNED_CERT_IN_CHAIN', new Error('the chain'))).toContain(
      'NODE_EXTRA_CA_CERTS',
    );
    expect(edgeDefault.handshakeAdvice('SELF_SIGNED_CERT_IN_CHAIN', new Error('the chain'))).toBe('');
  });

  it('give no advice about a proxy: the platform of a worker connects', () => {
    vi.stubEnv('HTTPS_PROXY', 'http://proxy.test');
    expect(nodeDefault.proxyAdvice('https://api.test')).toContain('HTTPS_PROXY');
    expect(edgeDefault.proxyAdvice('https://api.test')).toBe('');
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
    expect(nodeDefault.proxyAdvice('https://api.test')).toBe('');
  });

  it('stand beside a file for Node, and have its values', async () => {
    const all = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((file) => `src/${file}`);
    const files = all.filter((file) => file.endsWith('.edge.ts'));
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) expect(existsSync(file.replace('.edge.ts', '.ts')), file).toBe(true);
    for (const file of files) expect(readFileSync(file, 'utf8'), file).not.toMatch(/from '(node:|undici)/);
  });

  it('export what the entry for Node does, without what needs Node', () => {
    expectTypeOf<Exclude<keyof typeof nodeEntry, keyof typeof edgeEntry>>().toEqualTypeOf<'undiciTransport'>();
    expectTypeOf<Exclude<keyof typeof edgeEntry, keyof typeof nodeEntry>>().toEqualTypeOf<never>();
  });
});
