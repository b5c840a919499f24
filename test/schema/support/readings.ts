/** Reads answers of the operations by their schemas, in each mode, and prints what is handed over. */
import { operations } from '../../../src/resources/operations.js';
import { readBySchema } from '../../../src/schema/reading.js';

/** Answers by the names of their operations. */
const answers = JSON.parse(process.argv[2] ?? '{}') as Record<string, unknown>;

/** A schema is compiled at its second use. */
const USES = 3;

const read = Object.entries(answers).map(([name, body]) => {
  const answer = operations.find((operation) => operation.name === name)?.answer;
  if (answer?.kind !== 'value') throw new Error(`${name} has no schema`);
  const values = (['tolerant', 'strict', 'warn'] as const).map((mode) => {
    const uses = Array.from({ length: USES }, () => readBySchema(answer.schema, body, mode, 0));
    return uses.map(({ notes, ...reading }) => ({ ...reading, missing: [...(notes?.missing ?? [])] }));
  });
  return [name, values];
});

function mayGenerateCode(): boolean {
  try {
    return new Function('return true')();
  } catch {
    return false;
  }
}

process.stdout.write(JSON.stringify({ mayGenerateCode: mayGenerateCode(), read }));
