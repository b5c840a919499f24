import { EVIDENCE, HOOK, PAGE_SIZE } from '../measured/requests.js';
import { Values } from './random.js';
import { PAGE, QUOTE_CREATED, QUOTE_READ } from './resources.js';

/** The same resources in the envelopes that some peers insist on. */

/** In kraken's. */
export const KRAKEN = {
  quote: { error: [], result: QUOTE_READ },
  page: { error: [], result: PAGE },
  write: { error: [], result: QUOTE_CREATED },
};

type Attribute = { S: string } | { M: Record<string, Attribute> };

/** As DynamoDB's typed attributes. */
export const DYNAMODB = {
  quote: { Item: attributesOf(QUOTE_READ.data) },
  page: { Items: PAGE.data.map(attributesOf), Count: PAGE_SIZE, ScannedCount: PAGE_SIZE },
  write: { Attributes: attributesOf(QUOTE_CREATED.data) },
};

function attributesOf(value: object): Record<string, Attribute> {
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      typeof member === 'string' ? { S: member } : { M: attributesOf(member as object) },
    ]),
  );
}

const values = new Values();

/** Webhook endpoints in place of quotes and conversions, of about the same size. */
export const POLAR = {
  quote: hook(EVIDENCE.quote),
  page: {
    items: Array.from({ length: PAGE_SIZE }, (_, index) =>
      hook(index === PAGE_SIZE - 1 ? EVIDENCE.page : values.hex(10)),
    ),
    pagination: { total_count: 250, max_page: 10 },
  },
  write: hook(EVIDENCE.write),
};

function hook(lastPart: string) {
  return {
    created_at: values.time(1),
    modified_at: values.time(0),
    id: HOOK,
    url: `https://example.invalid/hooks/${lastPart}`,
    format: 'raw',
    secret: `whsec_${values.hex(32)}`,
    organization_id: values.uuid(),
    events: ['order.created', 'order.updated', 'order.paid', 'order.refunded', 'refund.created', 'refund.updated'],
    enabled: true,
  };
}
