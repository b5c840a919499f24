/** Writes the page of every operation. */

import { labelOf } from '../../../src/resources/labels.js';
import { operations } from '../../../src/resources/operations.js';
import type { Operation } from '../../../src/schema/operation.js';
import { makeExamples } from '../../examples/examples.js';
import { makePayloads } from '../../examples/payloads.js';
import { apiDocument } from '../../openapi/api.js';
import { Sources } from '../../schemas/sources.js';
import { write } from '../documents.js';
import type { ReferencePage } from '../reference.js';
import { operationPage } from './page.js';

export interface OperationPage {
  readonly name: string;
  readonly title: string;
  readonly path: string;
}

export async function writeOperations(reference: readonly ReferencePage[]): Promise<readonly OperationPage[]> {
  const sources = new Sources();
  const examples = await makeExamples();
  const document = apiDocument(sources, examples, await makePayloads());
  const client = sources.exported('src/index.ts', 'PartnerClient');
  const methodIn = ({ name }: Operation): string | undefined => {
    const path = name.split('.');
    const group = sources.memberAt(client, path.slice(0, -1));
    const type = group && sources.checker.getTypeOfSymbol(group).getSymbol()?.name;
    const page = reference.find((one) => one.name === type && one.path.includes('/PartnerClient/'));
    return page && `../${page.path}#${path.at(-1)?.toLowerCase()}`;
  };
  return operations.map((operation) => {
    const example = examples.get(operation.name);
    if (example === undefined) throw new Error(`${operation.name} has no example`);
    const path = `operations/${operation.name}.md`;
    write(path, operationPage({ operation, example, document, reference: methodIn(operation) }));
    return { name: operation.name, title: labelOf(operation).title, path };
  });
}
