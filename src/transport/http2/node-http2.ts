type Http2Module = typeof import('node:http2');

let loaded: Http2Module | undefined;

/** Returns `node:http2`. It is loaded at the first use: 3 ms of CPU (`npm run bench:start`). */
export function nodeHttp2(): Http2Module {
  loaded ??= process.getBuiltinModule('node:http2');
  return loaded;
}
