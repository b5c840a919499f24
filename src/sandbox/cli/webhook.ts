import type { RegisteredWebhook, Sandbox } from 'partner-sdk/sandbox';

/** The member of the state file that holds the webhook of `--webhook`: a sandbox shows a signing secret only once. */
const MEMBER = 'commandWebhook';

/** What `withWebhook` has written into a state file. */
export function savedWebhook(content: unknown): RegisteredWebhook | undefined {
  const found = isObject(content) ? content[MEMBER] : undefined;
  const isWebhook = isObject(found) && ['id', 'url', 'signing_secret'].every((name) => typeof found[name] === 'string');
  return isWebhook ? (found as unknown as RegisteredWebhook) : undefined;
}

/** The value of a state file. */
export function withWebhook(snapshot: object, webhook: RegisteredWebhook | undefined): object {
  return webhook === undefined ? snapshot : { ...snapshot, [MEMBER]: webhook };
}

/** The command's one webhook: that of an earlier run, with its secret, as long as it exists, else a new one. `url` moves it. */
export function openWebhook(
  sandbox: Sandbox,
  url: string | undefined,
  saved: RegisteredWebhook | undefined,
): RegisteredWebhook | undefined {
  if (saved !== undefined) {
    try {
      return { ...saved, ...sandbox.updateWebhook(saved.id, { url: url ?? saved.url }) };
    } catch {
      // It was removed.
    }
  }
  return url === undefined ? undefined : sandbox.registerWebhook({ url });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
