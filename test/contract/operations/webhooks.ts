import { type OperationFact, operation } from '../fact.js';
import { IDS } from '../ids.js';
import type { Rule } from '../rules.js';
import { paging, SOME } from './forms.js';

const SUBSCRIPTION = {
  id: IDS.webhookId,
  url: 'https://partner.example/hooks',
  description: 'orders',
  created_at: '2026-02-01T08:00:00.123456Z',
  updated_at: '2026-02-01T08:00:00.123456Z',
  events: ['quote.executed', 'withdrawal.completed'],
};

/** https, at most 2,048 characters, without credentials. */
const hook: Rule = (value) => {
  if (typeof value !== 'string' || value.length > 2048 || !URL.canParse(value)) return 'is no URL';
  const { protocol, username, password } = new URL(value);
  return protocol === 'https:' && username + password === '' ? undefined : 'is no https URL without credentials';
};

export const webhooks: readonly OperationFact[] = [
  operation({
    name: 'webhooks.list',
    fact: 'Subscriptions are listed in pages of at most 25, without their secrets; `disabled` is there only when it is true. The names of the paging parameters are inferred.',
    source: 'specified',
    route: 'GET /v1/webhooks',
    query: paging(25),
    given: () => ({ query: { page_size: 25 } }),
    call: (client, { query }) => client.webhooks.list(query),
    answer: { data: [SUBSCRIPTION, { ...SUBSCRIPTION, id: 'ep_other', disabled: true }], next_page_token: null },
  }),
  operation({
    name: 'webhooks.create',
    fact: 'A subscription is registered with an https URL of at most 2,048 characters without credentials; its secret comes once, in this response.',
    source: 'current',
    route: 'POST /v1/webhooks',
    key: true,
    body: { url: hook, 'events?': [SOME], 'description?': 'string', '...': 'anything' },
    given: () => ({
      body: {
        url: 'https://partner.example/hooks/new',
        events: ['quote.executed', 'withdrawal.completed'],
        description: 'orders',
      },
    }),
    call: (client, { body }) => client.webhooks.create(body),
    answer: {
      data: {
        ...SUBSCRIPTION,
        url: 'https://partner.example/hooks/new',
        signing_secret: 'dGhlIHNlY3JldCBvZiBhIHN1YnNjcmlwdGlvbg==',
      },
    },
  }),
  operation({
    name: 'webhooks.update',
    fact: 'An update of a subscription replaces all its events; the others of its members are optional, too.',
    source: 'current',
    route: 'PATCH /v1/webhooks/{webhook_id}',
    key: true,
    body: { 'events?': [SOME], 'disabled?': 'boolean', 'description?': 'string', '...': 'anything' },
    given: ({ webhookId }) => ({
      params: { webhook_id: webhookId },
      body: { events: ['deposit.completed'], disabled: true },
    }),
    call: (client, { params, body }) => client.webhooks.update(params.webhook_id, body),
    answer: { data: { ...SUBSCRIPTION, events: ['deposit.completed'], disabled: true } },
  }),
  operation({
    name: 'webhooks.delete',
    fact: 'The response to a deletion of a subscription has its id and the time.',
    source: 'current',
    route: 'DELETE /v1/webhooks/{webhook_id}',
    given: ({ webhookId }) => ({ params: { webhook_id: webhookId } }),
    call: (client, { params }) => client.webhooks.delete(params.webhook_id),
    answer: { data: { webhook_id: IDS.webhookId, deleted_at: '2026-03-02T09:15:10.000Z' } },
  }),
  operation({
    name: 'webhooks.test',
    fact: 'A test of a subscription answers what was sent, as a string with its signature, and what came back; `http_status` is a number.',
    source: 'current',
    route: 'POST /v1/webhooks/{webhook_id}/test',
    key: true,
    given: ({ webhookId }) => ({ params: { webhook_id: webhookId } }),
    call: (client, { params }) => client.webhooks.test(params.webhook_id),
    answer: {
      data: {
        result: 'success',
        test_id: 'whtest_51',
        http_status: 200,
        response_body: 'ok',
        error_message: null,
        payload_sent: '{"id":"evt_51","type":"webhook.test","data":{"message":"This is a test"}}',
        signature_header: 't=1772442930,v1=5f0c',
      },
    },
    optional: ['data.http_status', 'data.response_body'],
  }),
];
