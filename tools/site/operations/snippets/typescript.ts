/** An example of an operation in TypeScript. */
import type { Operation } from '../../../../src/schema/operation.js';
import type { Example } from '../../../examples/examples.js';
import { COLUMNS, literalOf, type Notation, OTP, withoutPageSize } from './sources.js';

/** Returns a program that makes the call. */
export function typescriptOf(operation: Operation, example: Example): string {
  return `import { PartnerClient } from 'partner-sdk';

const client = new PartnerClient(); // address and keys: from the environment

${callOf(operation, example)}
`;
}

function callOf(operation: Operation, example: Example): string {
  const [before, after] =
    operation.cursor !== undefined
      ? ['for await (const item of ', ') {\n  console.log(item);\n}']
      : operation.answer.kind === 'nothing'
        ? ['await ', ';']
        : ['const answer = await ', ';\nconsole.log(answer);'];
  const call = `${before}client.${operation.name}`;
  const values = argumentsOf(operation, example);
  const literals = values.map((value) => literal(value));
  const inline = `${call}(${literals.join(', ')})${after}`;
  const isTall = literals.slice(0, -1).some((text) => text.includes('\n'));
  if (!isTall && inline.split('\n').every((line) => line.length <= COLUMNS)) return inline;
  const lines = values.map((value) => `  ${literal(value, '  ')},\n`);
  return `${call}(\n${lines.join('')})${after}`;
}

function argumentsOf(operation: Operation, { params, query, body }: Example): unknown[] {
  const ids = Array.from(operation.path.matchAll(/\{(\w+)\}/g), ([, name = '']) => params?.[name]);
  const given = [query && withoutPageSize(query), body, operation.otp === true ? { otp: OTP } : undefined];
  return [...ids, ...given.filter((one) => one !== undefined)];
}

const TYPESCRIPT: Notation = {
  text: (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  name: (name) => name,
  other: String,
  indent: '  ',
  space: ' ',
};

const literal = (value: unknown, indent = ''): string => literalOf(TYPESCRIPT, value, indent);
