/** Texts that stand for themselves. */
export const asChoices = (texts: readonly string[]): (readonly [string, string])[] => texts.map((one) => [one, one]);

/** Webhooks by their addresses. */
export const webhookChoices = (webhooks: readonly { id: string; url: string }[]): (readonly [string, string])[] =>
  webhooks.map(({ id, url }) => [id, url]);
