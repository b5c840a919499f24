/**
 * An example of an operation in each language of its page. All are made from the one description of
 * it.
 */
import type { Operation } from '../../../../src/schema/operation.js';
import type { Example } from '../../../examples/examples.js';
import { curlOf } from './curl.js';
import { pythonOf } from './python.js';
import { shellOf } from './shell.js';
import { typescriptOf } from './typescript.js';

/** A language of the examples. */
export interface Snippet {
  /** The text of its tab. */
  readonly title: string;
  /** The name that highlights the code. */
  readonly language: string;
  readonly of: (operation: Operation, example: Example) => string;
}

export const SNIPPETS: readonly Snippet[] = [
  { title: 'TypeScript', language: 'ts', of: typescriptOf },
  { title: 'Shell', language: 'bash', of: shellOf },
  { title: 'curl', language: 'bash', of: curlOf },
  { title: 'Python', language: 'python', of: pythonOf },
];
