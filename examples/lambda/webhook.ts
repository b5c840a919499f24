/**
 * Receives webhooks in a function of AWS Lambda, behind a function URL or an HTTP API of API Gateway,
 * which both send events of the payload format 2.0. Set PARTNER_WEBHOOK_SECRET.
 */
import { webhookHandler } from 'partner-sdk/webhooks';

/** The used part of the event; `APIGatewayProxyEventV2` of `@types/aws-lambda` is all of it. */
interface HttpEvent {
  readonly rawPath: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly requestContext: { readonly domainName: string; readonly http: { readonly method: string } };
  readonly body?: string;
  readonly isBase64Encoded: boolean;
}

// Outside the handler: it is created once, and remembers what this instance has handled.
const receive = webhookHandler({
  secret: process.env['PARTNER_WEBHOOK_SECRET'] ?? '',
  on: {
    // Another instance may get the same event, so store `event.deliveryId` together with the effect.
    'quote.executed': ({ data, deliveryId }) => console.log('settled', data.id, deliveryId),
  },
});

export async function handler(event: HttpEvent) {
  const response = await receive(requestOf(event));
  return {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  };
}

/** The signature covers the bytes as they were sent, so the body is decoded and never parsed. */
function requestOf({ rawPath, headers, requestContext, body, isBase64Encoded }: HttpEvent): Request {
  const { domainName, http } = requestContext;
  const bytes = body === undefined ? null : Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const hasBody = http.method !== 'GET' && http.method !== 'HEAD';
  return new Request(`https://${domainName}${rawPath}`, {
    method: http.method,
    headers,
    body: hasBody ? bytes : null,
  });
}
