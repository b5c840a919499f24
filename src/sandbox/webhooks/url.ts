const MAX_URL = 2048;

/** What an address for deliveries is. */
export const WEBHOOK_URL = `an http or https URL without credentials, at most ${MAX_URL} characters`;

export function isWebhookUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  return isHttp && url.username === '' && url.password === '' && text.length <= MAX_URL;
}
