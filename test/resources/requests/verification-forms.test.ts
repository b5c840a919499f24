import { describe, expect, test } from 'vitest';
import { RequestValidationError, type VerificationUrlBody } from '../../../src/index.js';
import { operation, USER } from '../support/operations.js';
import { rejection, startService, wrong } from '../support/service.js';

const service = startService();
const [URL, OTHER] = ['https://documents.example/a.jpg', 'https://documents.example/b.jpg'];
const metadata = { document_type: 'residence_card', later: { of: 'a later edition' } } as const;

const submit = (body: VerificationUrlBody) => service.client().users.verifications.submitUrl(USER, body);
const issuesOf = async (body: object) =>
  (await rejection(() => submit(wrong(body)), RequestValidationError)).issues.map(
    ({ path, message }) => `${path}: ${message}`,
  );

test.each<[string, VerificationUrlBody]>([
  ['an identity document', { type: 'identity_document', front_url: URL, back_url: OTHER, metadata, purpose: 'x' }],
  ['an identity document without a type', { front_url: URL }],
  ['a document of the residence', { type: 'a type', document_url: URL, metadata, pages: 2 }],
  ['a selfie', { center_url: URL, left_url: OTHER, right_url: OTHER, score: 1 }],
  [
    'an identity document below its type',
    { proof_of_identity: { front_url: URL, back_url: OTHER, metadata, later: 1 } },
  ],
  ['a document of the residence below its type', { proof_of_address: { document_url: URL, metadata, later: 1 } }],
  ['a selfie below its type', { proof_of_liveness: { center_url: URL, left_url: URL, right_url: OTHER, later: 1 } }],
  [
    'two of them',
    {
      proof_of_identity: { front_url: URL },
      proof_of_liveness: wrong({ center_url: URL, left_url: URL, right_url: URL }),
    },
  ],
])('%s is sent unchanged, with members that this version does not know', async (_, body) => {
  service.answerJson(operation('users.verifications.submitUrl').answer);
  await submit(body);
  expect(JSON.parse(service.only.body)).toEqual(body);
});

describe('nothing is sent', () => {
  test('without a document', async () => {
    const none =
      'front_url: is missing, and so are center_url, document_url, proof_of_identity, proof_of_address, proof_of_liveness: one of them is needed';
    for (const body of [{}, { type: 'identity_document', metadata }, { back_url: URL }, { front_url: undefined }]) {
      expect(await issuesOf(body)).toEqual([none]);
    }
  });

  test('of a selfie that lacks a picture', async () => {
    expect(await issuesOf({ left_url: URL })).toEqual(['center_url: is missing', 'right_url: is missing']);
    expect(await issuesOf({ proof_of_liveness: { center_url: URL } })).toEqual([
      'proof_of_liveness.left_url: is missing',
      'proof_of_liveness.right_url: is missing',
    ]);
  });

  test('with a URL that is not https, at any place', async () => {
    const http = 'http://documents.example/a.jpg';
    const rule = 'must be an https URL of 1 to 4096 characters';
    expect(
      await issuesOf({
        front_url: URL,
        document_url: http,
        center_url: http,
        left_url: URL,
        right_url: URL,
        proof_of_identity: { front_url: URL, back_url: http },
        proof_of_address: { document_url: http },
      }),
    ).toEqual(
      ['document_url', 'center_url', 'proof_of_identity.back_url', 'proof_of_address.document_url'].map(
        (path) => `${path}: ${rule}`,
      ),
    );
  });

  test('of a document below a type that lacks its URL', async () => {
    expect(await issuesOf({ proof_of_address: { front_url: URL } })).toEqual([
      'proof_of_address.document_url: is missing',
    ]);
  });
});
