import type { RegisteredWebhook, Sandbox } from 'partner-sdk/sandbox';
import { isBase64 } from '../../runtime/bytes.js';
import { isRecord } from '../../util/options.js';

/** Member of the state file for the webhook, because a sandbox shows a signing secret only once. */
const MEMBER = 'commandWebhook';

/**
 * Returns the webhook that `webhookMember` stored in a state file; undefined for any other content.
 */
export function savedWebhook(content: unknown): RegisteredWebhook | undefined {
  const found = isRecord(content) ? content[MEMBER] : undefined;
  if (!isRecord(found)) return undefined;
  const { id, url, signing_secret: secret } = found;
  const isWebhook = typeof id === 'string' && typeof url === 'string' && typeof secret === 'string' && isBase64(secret);
  return isWebhook ? (found as unknown as RegisteredWebhook) : undefined;
}

/** Returns the members of a state file besides the sandbox's snapshot. */
export function webhookMember(webhook: RegisteredWebhook | undefined): object {
  return webhook === undefined ? {} : { [MEMBER]: webhook };
}

/** Returns the command's webhook: the one of an earlier run if it still exists, or a new one. */
export function openWebhook(
  sandbox: Sandbox,
  url: string | undefined,
  saved: RegisteredWebhook | undefined,
): RegisteredWebhook | undefined {
  if (saved !== undefined) {
    try {
      return { ...saved, ...sandbox.webhooks.update(saved.id, { url: url ?? saved.url }) };
    } catch {
      // It was removed.
    }
  }
  return url === undefined ? undefined : sandbox.webhooks.register({ url });
}
