/** An example of an operation as code: in TypeScript, and with curl. */
import type { Operation } from '../../../src/schema/operation.js';
import { type Example, targetOf } from '../../examples/examples.js';

const LINE = 96;
const OTP = '123456';

/** Returns a program that makes the call. */
export function typescriptOf(operation: Operation, example: Example): string {
  return `import { PartnerClient } from 'partner-sdk';

const client = new PartnerClient(); // address and keys: from the environment

${callOf(operation, example)}
`;
}

/** Returns the statements that make the call with a `client`. */
export function callOf(operation: Operation, example: Example): string {
  const call = `client.${operation.name}(${argumentsOf(operation, example)})`;
  if (operation.cursor !== undefined) return `for await (const item of ${call}) {\n  console.log(item);\n}`;
  if (operation.answer.kind === 'nothing') return `await ${call};`;
  return `const answer = await ${call};\nconsole.log(answer);`;
}

function argumentsOf(operation: Operation, { params, query, body }: Example): string {
  const ids = Array.from(operation.path.matchAll(/\{(\w+)\}/g), ([, name = '']) => literalOf(params?.[name]));
  const wanted = query && withoutPageSize(query);
  const given = [wanted, body, operation.otp === true ? { otp: OTP } : undefined];
  return [...ids, ...given.filter((one) => one !== undefined).map((one) => literalOf(one))].join(', ');
}

/** The page's size is the example's: it keeps its answer short. */
function withoutPageSize(query: Readonly<Record<string, unknown>>): object | undefined {
  const { page_size: _, ...others } = query;
  return Object.keys(others).length > 0 ? others : undefined;
}

/** Writes a value of JSON as a literal of TypeScript. */
function literalOf(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const deeper = `${indent}  `;
  const isList = Array.isArray(value);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const parts = (inner: string): string[] =>
    isList
      ? value.map((item: unknown) => literalOf(item, inner))
      : Object.entries(value).map(([name, item]) => `${name}: ${literalOf(item, inner)}`);
  const inline = parts('').join(', ');
  const space = isList || inline === '' ? '' : ' ';
  if (!inline.includes('\n') && indent.length + inline.length < LINE - 40)
    return `${open}${space}${inline}${space}${close}`;
  return `${open}\n${parts(deeper)
    .map((part) => `${deeper}${part},\n`)
    .join('')}${indent}${close}`;
}

/** Returns a script that signs the request with openssl and sends it with curl. */
export function curlOf(operation: Operation, example: Example): string {
  const hasBody = example.body !== undefined;
  const lines = [
    `path=${quoted(targetOf(operation, example))}`,
    ...(hasBody ? [`body=${quoted(JSON.stringify(example.body))}`] : []),
    'nonce=$(date +%s%N) # each request needs a greater one',
    `secret=$(printf %s "$PARTNER_API_SECRET" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')`,
    `sign=$({ printf %s "$path"; printf %s "$nonce${hasBody ? '$body' : ''}" | openssl dgst -sha256 -binary; } |`,
    '  openssl dgst -sha512 -mac HMAC -macopt "hexkey:$secret" -binary | openssl base64 -A)',
    `curl -sS --fail-with-body -X ${operation.method} "$PARTNER_BASE_URL$path"${hasBody ? ' --json "$body"' : ''} \\`,
    ...(operation.retrySafety === 'keyed' ? ['  -H "Idempotency-Key: $(cat /proc/sys/kernel/random/uuid)" \\'] : []),
    ...(operation.otp === true ? [`  -H 'API-Otp: ${OTP}' \\`] : []),
    '  -H "API-Key: $PARTNER_API_KEY" -H "API-Nonce: $nonce" -H "API-Sign: $sign"',
  ];
  return `${lines.join('\n')}\n`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
