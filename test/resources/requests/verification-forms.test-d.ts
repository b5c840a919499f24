import { expectTypeOf, test } from 'vitest';
import type { IdentityDocument, VerificationUrlBody } from '../../../src/index.js';

test('a body of the three documents, in both forms, and none of another form', () => {
  expectTypeOf<{ front_url: string }>().toExtend<VerificationUrlBody>();
  expectTypeOf<IdentityDocument>().toExtend<VerificationUrlBody>();
  expectTypeOf<{ document_url: string; later: number }>().toExtend<VerificationUrlBody>();
  expectTypeOf<{ proof_of_identity: { front_url: string } }>().toExtend<VerificationUrlBody>();
  expectTypeOf<{ type: string }>().not.toExtend<VerificationUrlBody>();
  expectTypeOf<{ front_url: number }>().not.toExtend<VerificationUrlBody>();
  expectTypeOf<{ center_url: string; left_url: string }>().not.toExtend<VerificationUrlBody>();
  expectTypeOf<{ proof_of_liveness: { center_url: string } }>().not.toExtend<VerificationUrlBody>();
});
