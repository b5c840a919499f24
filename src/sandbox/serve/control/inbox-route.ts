import { INBOX_PATH, type Inbox } from '../../webhooks/inbox/inbox.js';
import { isInboxName } from '../../webhooks/inbox/inbox-options.js';
import type { ControlAnswer, ControlRequest } from './control-messages.js';

/**
 * Passes a delivery to its inbox: `POST /_sandbox/inbox/<name>`, with a body of any type. Returns
 * undefined for any other request.
 */
export async function toInbox(
  inbox: Inbox,
  { method, target, headers, body, signal }: ControlRequest,
): Promise<ControlAnswer | undefined> {
  const [path = ''] = target.split('?');
  const name = path.slice(INBOX_PATH.length);
  if (method !== 'POST' || !path.startsWith(INBOX_PATH) || !isInboxName(name)) return undefined;
  const answer = await inbox.receive({ name, headers: headers(), body }, signal);
  return { status: answer.status, body: answer.body };
}
