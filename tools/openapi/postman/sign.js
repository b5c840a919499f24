// Signs the request: API-Sign = base64(HMAC-SHA512(secret, target + SHA-256(nonce + body))).
(() => {
  const CryptoJS = require('crypto-js');

  const filled = (text) => pm.variables.replaceIn(text);
  const encoded = (text) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

  // The path is signed exactly as it is sent: so it is encoded here, and not later.
  const { url } = pm.request;
  const ids = Object.fromEntries(url.variables.map(({ key, value }) => [key, filled(value || '')]));
  const segments = url.path.map((one) => encoded(one.startsWith(':') ? ids[one.slice(1)] : filled(one)));
  const pairs = url.query
    .filter(({ disabled }) => !disabled)
    .map(({ key, value }) => `${encoded(filled(key))}=${encoded(filled(value || ''))}`);
  const target = `/${segments.join('/')}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;

  const body = pm.request.body && pm.request.body.mode === 'raw' ? filled(pm.request.body.raw || '') : '';

  // Each nonce is above the last: the time in nanoseconds, also of two requests in one millisecond.
  const last = BigInt(pm.collectionVariables.get('lastNonce') || '0');
  const now = BigInt(Date.now()) * BigInt(1_000_000);
  const nonce = String(now > last ? now : last + BigInt(1));
  pm.collectionVariables.set('lastNonce', nonce);

  const digest = CryptoJS.SHA256(nonce + body);
  const message = CryptoJS.enc.Utf8.parse(target).concat(digest);
  const secret = CryptoJS.enc.Base64.parse(filled('{{apiSecret}}'));
  const signature = CryptoJS.HmacSHA512(message, secret).toString(CryptoJS.enc.Base64);

  pm.request.url.update(filled('{{baseUrl}}') + target);
  if (body !== '') pm.request.body.update({ mode: 'raw', raw: body });
  pm.request.headers.upsert({ key: 'API-Key', value: filled('{{apiKey}}') });
  pm.request.headers.upsert({ key: 'API-Nonce', value: nonce });
  pm.request.headers.upsert({ key: 'API-Sign', value: signature });
})();
