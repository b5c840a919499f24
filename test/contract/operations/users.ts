import { type OperationFact, operation } from '../fact.js';
import { IDS } from '../ids.js';
import { type Members, orNull, problemsOf, type Rule } from '../rules.js';
import { LISTED_ASSET, listedAssets, OPTIONAL_IN_LISTING } from './assets.js';
import { COUNTRY, SOME } from './forms.js';

const PHONE = /^\+?[1-9]\d{1,14}$/;

const FULL_NAME: Members = { first_name: SOME, last_name: SOME, 'middle_name?': SOME, '...': 'anything' };

const RESIDENCE: Members = {
  line1: SOME,
  'line2?': SOME,
  city: SOME,
  'province?': SOME,
  postal_code: SOME,
  country: SOME,
  '...': 'anything',
};

const BIRTH: Members = {
  'date?': /^\d{4}-\d\d-\d\d$/,
  'city?': SOME,
  'country?': SOME,
  '...': 'anything',
};

const DOCUMENT = /^https:.{1,4090}$/;

/** A form of the public reference needs a type and metadata; one below a type of the description does not. */
const VERIFICATIONS: readonly Members[] = [
  { type: SOME, metadata: 'object', front_url: DOCUMENT, 'back_url?': DOCUMENT, 'verifier_response_url?': DOCUMENT },
  { type: SOME, metadata: 'object', document_url: DOCUMENT, '...': 'anything' },
  { type: SOME, metadata: 'object', center_url: DOCUMENT, left_url: DOCUMENT, right_url: DOCUMENT, '...': 'anything' },
  { proof_of_identity: { front_url: DOCUMENT, 'back_url?': DOCUMENT, 'metadata?': 'object' } },
  { proof_of_address: { document_url: DOCUMENT, 'metadata?': 'object' } },
  { proof_of_liveness: { center_url: DOCUMENT, left_url: DOCUMENT, right_url: DOCUMENT } },
];

const verificationByUrl: Rule = (value) => {
  const problems = VERIFICATIONS.map((form) => problemsOf(form, value, 'body'));
  return problems.some((found) => found.length === 0) ? undefined : `has no known form: ${JSON.stringify(problems)}`;
};

const FULL_NAME_OF_ADA = { first_name: 'Ada', last_name: 'Byron' };

const CREATED = { data: { id: IDS.userId, accounts: [{ id: IDS.accountId, name: 'main' }] } };

export const users: readonly OperationFact[] = [
  operation({
    name: 'users.get',
    fact: 'A user has a status with a state and required actions, and the ids and names of the accounts.',
    source: 'specified',
    route: 'GET /v1/users/{user_id}',
    given: ({ userId }) => ({ params: { user_id: userId } }),
    call: (client, { params }) => client.users.get(params.user_id),
    answer: {
      data: {
        id: IDS.userId,
        external_reference: 'customer-1815',
        type: 'individual',
        status: { state: 'ok', required_actions: [] },
        created_at: '2026-03-02T09:15:00.000Z',
        accounts: [
          { id: IDS.accountId, name: 'main' },
          { id: 'AA5R2QK-7HWLM-SECOND', name: 'secondary' },
        ],
      },
    },
  }),
  operation({
    name: 'users.create',
    fact: 'A user is created with an e-mail address, a reference, a name, a residence, a phone number and nationalities; the response has the id and the accounts. No idempotency key: the reference makes it safe to send again.',
    source: 'current',
    route: 'POST /v1/users',
    body: {
      email: SOME,
      external_reference: SOME,
      full_name: FULL_NAME,
      residence: RESIDENCE,
      phone: PHONE,
      nationalities: [COUNTRY],
      'birth?': BIRTH,
      'occupation?': 'anything',
      '...': 'anything',
    },
    given: () => ({
      body: {
        email: 'ada@customer.example',
        external_reference: 'customer-1815',
        full_name: FULL_NAME_OF_ADA,
        residence: { line1: '12 St James Sq', city: 'London', postal_code: 'SW1Y 4JH', country: 'GB' },
        phone: '+442071234567',
        nationalities: ['GB'],
        birth: { date: '1985-12-10', city: 'London', country: 'GB' },
        occupation: 'mathematician',
      },
    }),
    call: (client, { body }) => client.users.create(body),
    answer: CREATED,
  }),
  operation({
    name: 'users.createHeadless',
    fact: 'A headless user needs a reference alone; the response is the one of a created user.',
    source: 'current',
    route: 'POST /v1/users/headless',
    body: { external_reference: SOME },
    given: () => ({ body: { external_reference: 'customer-headless-7' } }),
    call: (client, { body }) => client.users.createHeadless(body),
    answer: CREATED,
  }),
  operation({
    name: 'users.update',
    fact: 'An update of a user has optional members, of which phone and nationalities may be null; `data` is the word success.',
    source: 'current',
    route: 'PATCH /v1/users/{user_id}',
    body: {
      'full_name?': 'object',
      'residence?': 'object',
      'phone?': orNull(PHONE),
      'nationalities?': orNull([COUNTRY]),
      'birth?': BIRTH,
      '...': 'anything',
    },
    given: ({ userId }) => ({
      params: { user_id: userId },
      body: { phone: null, nationalities: ['GB', 'FR'], birth: { date: '1985-12-10' } },
    }),
    call: (client, { params, body }) => client.users.update(params.user_id, body),
    answer: { data: 'success' },
    gives: undefined,
  }),
  operation({
    name: 'users.verifications.list',
    fact: 'Verifications stand in `data.verifications`; a failed one has reasons with a code and perhaps details.',
    source: 'specified',
    route: 'GET /v1/users/{user_id}/verifications',
    given: ({ userId }) => ({ params: { user_id: userId } }),
    call: (client, { params }) => client.users.verifications.list(params.user_id),
    answer: {
      data: {
        verifications: [
          {
            verification_id: 'PVK3TQ2-9WXYZ-4MNOPQ',
            types: ['proof_of_identity', 'proof_of_liveness'],
            method: 'url',
            status: 'failed',
            reasons: [{ code: 'unreadable', details: ['the corner is dark'] }, { code: 'wrong_side' }],
            created_at: '2026-03-02T09:16:00.123Z',
            updated_at: '2026-03-02T10:00:00.456Z',
          },
        ],
      },
    },
    gives: [{ status: 'failed', reasons: [{ code: 'unreadable' }, { code: 'wrong_side' }] }],
    optional: ['data.verifications.reasons', 'data.verifications.reasons.details'],
  }),
  operation({
    name: 'users.verifications.submitUrl',
    fact: 'An identity document is submitted by URLs: of its front, and of its back unless it is a passport. Its type and metadata are required.',
    source: 'current',
    route: 'POST /v1/users/{user_id}/verifications/url',
    body: verificationByUrl,
    given: ({ userId }) => ({
      params: { user_id: userId },
      body: {
        type: 'identity_document',
        metadata: {
          identity: { full_name: FULL_NAME_OF_ADA, birth: { date: '1985-12-10' } },
          document_type: 'id_card',
          document_number: 'L01X00T47',
          issuing_country: 'GB',
          verifier: 'in-house',
          verified_at: '2026-03-01T10:00:00Z',
          verifier_response: { score: 1 },
        },
        front_url: 'https://documents.example/ada/front.jpg',
        back_url: 'https://documents.example/ada/back.jpg',
      },
    }),
    call: (client, { params, body }) => client.users.verifications.submitUrl(params.user_id, body),
    answer: { data: { verification_id: 'PVK3TQ2-9WXYZ-4MNOPQ' } },
  }),
  operation({
    name: 'users.assets.list',
    fact: 'The assets of a user are filtered by type (a repeated parameter), swap_trading, withdraw and deposit, and sorted; the response echoes the filters that were applied.',
    source: 'specified',
    route: 'GET /v1/users/{user_id}/assets',
    query: listedAssets,
    given: ({ userId }) => ({
      params: { user_id: userId },
      query: {
        type: ['crypto', 'stablecoin'],
        swap_trading: true,
        sort: 'volume.last_24h',
        sort_direction: 'desc',
        page_size: 100,
      },
    }),
    call: (client, { params, query }) => client.users.assets.list(params.user_id, query),
    answer: {
      data: [LISTED_ASSET],
      quote_symbol: 'USD',
      quote_type: 'fiat',
      page_size: 100,
      sort: 'volume.last_24h',
      sort_direction: 'desc',
      type: ['crypto', 'stablecoin'],
      swap_trading: true,
      next_page_token: 'tok_2',
    },
    optional: OPTIONAL_IN_LISTING,
  }),
];
