import { type CallFacts, ConfigurationError } from './partner-error.js';
import { inNextTurn } from './runtime/immediate.js';
import { clipped, printable } from './util/printable.js';

/** Names that the language defines on `Object.prototype`, in V8's order. */
const NATIVE: readonly PropertyKey[] = [
  ...['constructor', '__defineGetter__', '__defineSetter__', 'hasOwnProperty', '__lookupGetter__', '__lookupSetter__'],
  ...['isPrototypeOf', 'propertyIsEnumerable', 'toString', 'valueOf', '__proto__', 'toLocaleString'],
];

/** Names that a message lists at most, and the characters of each. */
const MAX_SHOWN = 10;
const MAX_SHOWN_LENGTH = 60;

/**
 * Refuses a process whose `Object.prototype` has members that could change a call: enumerable ones,
 * and names that zod, undici, Node or the language look up. Other members do no harm, for example
 * `should`.
 *
 * Called before each step that hands objects to foreign code, the last one directly before the
 * bytes leave. It finds an enumerable member at once. It looks for others once in a turn of the
 * event loop, so one that is put there after that look is found in the next turn.
 *
 * @throws ConfigurationError that names the members.
 */
export function refusePollution(facts?: CallFacts): void {
  if (addedNames().length > 0) refusePollutionNow(facts);
}

/** As `refusePollution`, by a look of its own: it finds every member that is there now. */
export function refusePollutionNow(facts?: CallFacts): void {
  const names = pollution();
  if (names.length > 0) throw new ConfigurationError(messageOn(names), facts);
}

/** Refuses only enumerable members: for code that hands no object to anything but the language. */
export function refuseEnumerable(): void {
  if (hasEnumerable()) throw new ConfigurationError(messageOn(Object.keys(Object.prototype)));
}

/** Returns the names on `Object.prototype` that are refused now. */
export function pollution(): readonly PropertyKey[] {
  return addedNamesNow().filter(isRefused);
}

/** True if this turn of the event loop has found that nothing was added. */
let isKnownClean = false;

/**
 * Returns the names that others have put on `Object.prototype`. For names that cannot be
 * enumerated, it looks once a turn. A look takes 0.4 µs, an empty `for…in` 0.01 µs: a call with its
 * four looks takes 0.8 µs less, many calls at once 1.7 µs each.
 */
export function addedNames(): readonly PropertyKey[] {
  if (isKnownClean && !hasEnumerable()) return NONE;
  const names = addedNamesNow();
  if (names.length === 0 && inNextTurn !== undefined) {
    isKnownClean = true;
    inNextTurn(lookAgain);
  }
  return names;
}

function lookAgain(): void {
  isKnownClean = false;
}

function hasEnumerable(): boolean {
  for (const _ in {}) return true;
  return false;
}

function addedNamesNow(): readonly PropertyKey[] {
  const names = Reflect.ownKeys(Object.prototype);
  return isNative(names) ? NONE : names.filter((name) => !NATIVE.includes(name));
}

const NONE: readonly PropertyKey[] = [];

/**
 * V8 lists numbers first, then texts in the order in which they were added, then symbols. So in a
 * list of the native length, an added name is first or last, whichever name was deleted for it.
 */
function isNative(names: readonly PropertyKey[]): boolean {
  return names.length === NATIVE.length && names[0] === NATIVE[0] && names.at(-1) === NATIVE.at(-1);
}

let namesRead: ReadonlySet<PropertyKey> | undefined;

function isRefused(name: PropertyKey): boolean {
  namesRead ??= new Set(NAMES_READ.trim().split(/\s+/));
  if (typeof name === 'symbol') return Reflect.ownKeys(Symbol).some((one) => Reflect.get(Symbol, one) === name);
  return namesRead.has(name) || Reflect.apply(Object.prototype.propertyIsEnumerable, Object.prototype, [name]);
}

export function messageOn(names: readonly PropertyKey[]): string {
  const shown = names.slice(0, MAX_SHOWN).map((name) => printable(clipped(String(name), MAX_SHOWN_LENGTH)));
  const more = names.length > MAX_SHOWN ? ` and ${names.length - MAX_SHOWN} more` : '';
  return `Object.prototype has ${shown.join(', ')}${more}: every object seems to have these members. Remove the code that puts them there`;
}

/**
 * Names that zod, undici, Node or the language look up on objects that may lack them, in options
 * above all. `test/pollution` finds them by experiment.
 */
const NAMES_READ = `
  0 1 2 3 4 ALPNCallback ALPNProtocols C CN Http1IncomingMessage Http1ServerResponse Http2ServerRequest
  Http2ServerResponse JEST_WORKER_ID L NODE_TLS_REJECT_UNAUTHORIZED O OU RegExp SNICallback ST UNDICI_NO_WASM_SIMD
  __originalRun _construct _peername _readableState _zod abort abortEarly aborted address agent allowH2 allowHTTP1
  allowHalfOpen allowPartialTrustChain allowedValues alpnProtocol append array asn1Curve autoAllocateChunkSize
  autoDestroy autoSelectFamily autoSelectFamilyAttemptTimeout backlog bag bits blocking body bodyTimeout breakOnSigint
  bubbles bytesRead bytesWritten ca cache cachedData callback cancel cancelable capture captureRejections catchall
  cause cert check checkServerIdentity checks ciphers client clientCertEngine clientTtl code coerce columnOffset
  composed configurable connect connectTimeout connection connectionAttempt connectionAttemptFailed
  connectionWindowSize connections construct content-encoding content-length content-type context
  contextCodeGeneration contextOrigin continue createConnection credentials crl crossOriginIsolatedCapability
  cryptoGraphicsNonceMetadata customError customSettings data date debug defaultEncoding defaultValue deferred
  deflateDynamicTableSize destination destroy details dhparam direction dispatcher displayErrors done duplex ecdhCurve
  effectiveLocalWindowSize effectiveRecvDataLength emitClose enableConnectProtocol enablePush enableTrace encoding
  encrypted endHandler endStream enumerable errmap error errorHandler errors eventSource exclusive expectContinue
  exponent ext_key_usage factory family fd filename final flowlabel fn format get getMaxListeners globalObject groups
  growable handle handshakeTimeout headerTableSize headers headersList headersTimeout highWaterMark hints
  historyNavigation honorCipherOrder host hostname href httpSocket id idempotent idleTimeout importModuleDynamically
  index indices inflateDynamicTableSize infoAccess initialWindowSize initiator initiatorType input inst integrity
  interceptors internalResponse ipv6Only isMockActive isServer isTTY jitless keep-alive keepAlive
  keepAliveInitialDelay keepAliveMaxTimeout keepAliveTimeout keepAliveTimeoutThreshold keepalive key lastProcStreamID
  length lineOffset listener localAddress localClose localFamily localPort localURLsOnly localWindowSize localeError
  location lookup mainModule maxCachedSessions maxConcurrentStreams maxDeflateDynamicTableSize maxEventSize
  maxFragments maxFrameSize maxHeaderListPairs maxHeaderListSize maxHeaderSize maxKeepAliveTimeout maxOrigins
  maxOutstandingPings maxOutstandingSettings maxPayloadSize maxRedirections maxRequestsPerClient
  maxReservedRemoteStreams maxResponseSize maxSendHeaderBlockLength maxSessionInvalidFrames maxSessionMemory
  maxSessionRejectedStreams maxSettings maxVersion memo memoizer message method microtaskMode minDHSize minVersion
  mode modulus name navigator newListener next nextStreamID nistCurve noDelay normalize object objectMode offset
  onAborted onBodySent onComplete onConnect onData onError onHeaders onInfo onRequestHandler onRequestSent
  onRequestStart onRequestUpgrade onResponseData onResponseEnd onResponseError onResponseStart onResponseStarted
  onUpgrade onattach onread opaque optin options optout origin originSet origins outboundQueueSize paddingStrategy
  parent parserMetadata passive passphrase path pattern pause pauseOnConnect peerMaxConcurrentStreams pfx pingInterval
  pipe pipelining policyContainer port postProcessor preventNoCacheCacheControlHeaderModification priority
  privateKeyEngine privateKeyIdentifier processRequestBodyChunkLength processRequestEndOfBody
  processResponseConsumeBody produceCachedData protocol pskCallback pskIdentityHint pubkey query raw rawHeaders
  rawTrailers read readable readableAll readableHighWaterMark readableObjectMode ready redirect redirectCount referrer
  referrerPolicy rejectUnauthorized reloadNavigation remoteAddress remoteClose remoteCustomSettings remoteFamily
  remotePort remoteWindowSize removeListener replacesClientId reportInput requestCert requestOCSP requestTimeout
  required reservedClient reset resetAndClosing response responseHeaders responseTainting resume return schema
  secureConnectListener secureContext secureOptions secureProtocol selectPadding sentInfoHeaders sentTrailers server
  servername serviceWorkers session sessionIdContext sessionTimeout set set-cookie setTypeOfService settings
  shutdownWritableCalled sigalgs signal silent singleUse skipChecks socket socketPath socketTimeout stackStartFunction
  statCheck state status statusMessage statusText strictContentLength subjectaltname sumDependencyWeight taintedOrigin
  then throwOnError ticketKeys timeout timingAllowFailed tls toJSON toStringTag transfer-encoding transform
  triggerAsyncId typeOfService undefined unknownProtocolTimeout unsafeRequest upgrade urlList useCORSPreflightFlag
  useCredentials useH2c useParallelQueue userActivation value waitForTrailers webSocket weight when window writable
  writableAll writableHighWaterMark writableObjectMode write writev
`;
