type Http2Module = typeof import('node:http2');

let loaded: Http2Module | undefined;

/** Returns `node:http2`, loaded at the first HTTP/2 session: to load it takes 3 ms. */
export function nodeHttp2(): Http2Module {
  loaded ??= process.getBuiltinModule('node:http2');
  return loaded;
}
