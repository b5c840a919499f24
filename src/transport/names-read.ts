/**
 * Names that undici and Node look up on objects that may lack them, in options above all, besides
 * those that every client refuses. `test/pollution` finds them by experiment.
 */
export const NAMES_READ = `
  ALPNCallback ALPNProtocols C CN Http1IncomingMessage Http1ServerResponse Http2ServerRequest Http2ServerResponse
  JEST_WORKER_ID L NODE_TLS_REJECT_UNAUTHORIZED O OU RegExp SNICallback ST UNDICI_NO_WASM_SIMD __originalRun
  _construct _peername _readableState address agent allowH2 allowHTTP1 allowHalfOpen allowPartialTrustChain
  allowedValues alpnProtocol append asn1Curve autoAllocateChunkSize autoDestroy autoSelectFamily
  autoSelectFamilyAttemptTimeout backlog bits blocking bodyTimeout breakOnSigint bubbles bytesRead bytesWritten ca
  cachedData callback cancel cancelable capture captureRejections cert checkServerIdentity ciphers client
  clientCertEngine clientTtl columnOffset composed connect connectTimeout connection connectionAttempt
  connectionAttemptFailed connectionWindowSize connections construct context contextCodeGeneration contextOrigin
  createConnection crl crossOriginIsolatedCapability cryptoGraphicsNonceMetadata customSettings debug defaultEncoding
  defaultValue deflateDynamicTableSize destination destroy details dhparam dispatcher displayErrors ecdhCurve
  effectiveLocalWindowSize effectiveRecvDataLength emitClose enableConnectProtocol enablePush enableTrace encoding
  encrypted endHandler endStream errmap errorHandler eventSource exclusive expectContinue exponent ext_key_usage
  factory family fd filename flowlabel getMaxListeners globalObject groups growable handle handshakeTimeout
  headerTableSize headersList headersTimeout highWaterMark hints historyNavigation honorCipherOrder host hostname href
  httpSocket id idempotent idleTimeout importModuleDynamically index indices inflateDynamicTableSize infoAccess
  initialWindowSize initiator initiatorType interceptors internalResponse ipv6Only isMockActive isServer isTTY jitless
  keep-alive keepAlive keepAliveInitialDelay keepAliveMaxTimeout keepAliveTimeout keepAliveTimeoutThreshold
  lastProcStreamID lineOffset listener localAddress localClose localFamily localPort localURLsOnly localWindowSize
  location lookup mainModule maxCachedSessions maxConcurrentStreams maxDeflateDynamicTableSize maxEventSize
  maxFragments maxFrameSize maxHeaderListPairs maxHeaderListSize maxHeaderSize maxKeepAliveTimeout maxOrigins
  maxOutstandingPings maxOutstandingSettings maxPayloadSize maxRedirections maxRequestsPerClient
  maxReservedRemoteStreams maxResponseSize maxSendHeaderBlockLength maxSessionInvalidFrames maxSessionMemory
  maxSessionRejectedStreams maxSettings maxVersion microtaskMode minDHSize minVersion modulus navigator newListener
  nextStreamID nistCurve noDelay normalize objectMode offset onAborted onBodySent onComplete onConnect onData onError
  onHeaders onInfo onRequestHandler onRequestSent onRequestStart onRequestUpgrade onResponseData onResponseEnd
  onResponseError onResponseStart onResponseStarted onUpgrade onread opaque originSet origins outboundQueueSize
  paddingStrategy parserMetadata passive passphrase pause pauseOnConnect peerMaxConcurrentStreams pfx pingInterval
  pipe pipelining policyContainer port postProcessor preventNoCacheCacheControlHeaderModification privateKeyEngine
  privateKeyIdentifier processRequestBodyChunkLength processRequestEndOfBody processResponseConsumeBody
  produceCachedData protocol pskCallback pskIdentityHint pubkey query rawHeaders rawTrailers read readable readableAll
  readableHighWaterMark readableObjectMode ready redirectCount rejectUnauthorized reloadNavigation remoteAddress
  remoteClose remoteCustomSettings remoteFamily remotePort remoteWindowSize removeListener replacesClientId
  requestCert requestOCSP requestTimeout required reservedClient reset resetAndClosing response responseHeaders
  responseTainting resume secureConnectListener secureContext secureOptions secureProtocol selectPadding
  sentInfoHeaders sentTrailers server servername serviceWorkers session sessionIdContext sessionTimeout set-cookie
  setTypeOfService settings shutdownWritableCalled sigalgs silent singleUse socket socketPath socketTimeout
  stackStartFunction statCheck state statusMessage strictContentLength subjectaltname sumDependencyWeight
  taintedOrigin throwOnError ticketKeys timeout timingAllowFailed tls transfer-encoding triggerAsyncId typeOfService
  undefined unknownProtocolTimeout unsafeRequest upgrade urlList useCORSPreflightFlag useCredentials useH2c
  useParallelQueue userActivation waitForTrailers weight writableAll writableHighWaterMark writableObjectMode write
  writev
`;
