/** The page of one operation. */
import { API_ERROR_CLASSES } from '../../../src/errors.js';
import { labelOf, type Stability } from '../../../src/resources/labels.js';
import type { Operation, RetrySafety } from '../../../src/schema/operation.js';
import type { Example } from '../../examples/examples.js';
import { tableOf } from '../../markdown.js';
import { type ApiDocument, type Components, type Described, nameIn, parametersIn } from '../../openapi/document.js';
import type { JsonSchema } from '../../schemas/components.js';
import { SNIPPETS } from './snippets/languages.js';
import { type Row, SchemaTables } from './table.js';

const STABILITIES: Readonly<Record<Stability, string>> = {
  specified: 'by the description of the API',
  documented: "in the service's public reference",
  partial: 'only its path and parts of its shape are known',
  assumed: 'its path is inferred from an older edition of the API',
};

const RETRIES: Readonly<Record<RetrySafety, string>> = {
  always: 'Sent again without harm: the client retries it after 429, 502, 503, 504 and lost connections.',
  keyed:
    'Sent with an `Idempotency-Key`: a retry has no second effect. Give `idempotencyKey` to repeat it from another process.',
  unkeyed: 'Takes no `Idempotency-Key`. The client retries it only if the failed attempt certainly had no effect.',
};

/** The sources of the page of an operation. */
export interface OperationFacts {
  readonly operation: Operation;
  readonly example: Example;
  /** The document of all operations. */
  readonly document: JsonSchema;
  /** Link to the method in the reference; undefined without one. */
  readonly reference: string | undefined;
}

/** Returns the page as Markdown. */
export function operationPage({ operation, example, document, reference }: OperationFacts): string {
  const { paths, components } = document as unknown as ApiDocument;
  const described = paths[operation.path]?.[operation.method.toLowerCase()];
  if (described === undefined) throw new Error(`the document lacks ${operation.name}`);
  const tables = new SchemaTables(components.schemas);
  return [
    `# ${operation.name}`,
    factsOf(operation),
    described.description,
    codeOf(operation, example),
    parametersOf(described, components, tables),
    bodyOf(described, tables),
    answerOf(operation, described, tables),
    `## Retries\n\n${RETRIES[operation.retrySafety]} [Errors and retries](../docs/calls/errors-and-retries.md#retries)`,
    errorsOf(described, components),
    sandboxOf(described),
    seeAlso(reference),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function factsOf(operation: Operation): string {
  const { method, path, waitFor, otp, secretMember } = operation;
  const { title, stability } = labelOf(operation);
  return tableOf(
    [title, `\`${method} ${path}\``],
    [
      ['stability', `**${stability}**: ${STABILITIES[stability]}`],
      ...(waitFor
        ? [['polling', `\`${waitFor === true ? 'waitFor' : waitFor}\` reads it until it shows the end`]]
        : []),
      ...(otp === true ? [['one-time password', 'required: the option `otp`']] : []),
      ...(secretMember === undefined ? [] : [['secret', `\`${secretMember}\` of the answer belongs into no log`]]),
    ],
  );
}

function codeOf(operation: Operation, example: Example): string {
  const tabs = SNIPPETS.map(
    ({ title, language, of }) => `\`\`\`${language} [${title}]\n${of(operation, example)}\`\`\``,
  );
  return `## Example\n\n::: code-group\n\n${tabs.join('\n\n')}\n\n:::`;
}

function parametersOf(operation: Described, components: Components, tables: SchemaTables): string {
  const cells = parametersIn(operation, components).map((parameter) => {
    const { name, required = false, schema } = parameter;
    const row = tables.rowOf(name, schema, required);
    return [`\`${name}\``, parameter.in, required ? 'yes' : '', kindOf(row), parameter.description ?? row.description];
  });
  if (cells.length === 0) return '';
  return `## Parameters\n\n${tableOf(['name', 'in', 'required', 'type', 'meaning'], cells)}`;
}

function bodyOf({ requestBody }: Described, tables: SchemaTables): string {
  const schema = requestBody?.content?.['application/json'].schema;
  if (schema === undefined) return '';
  const rows = tables.rowsOf(schema);
  return `## Body\n\n${requestBody?.description ?? ''}\n\n${membersTable(rows, 'required')}`;
}

function membersTable(rows: readonly Row[], required: string): string {
  return tableOf(
    ['member', required, 'type', 'meaning'],
    rows.map((row) => [`\`${row.path}\``, row.required ? 'yes' : '', kindOf(row), row.description]),
  );
}

const kindOf = ({ type, limits }: Row): string => (limits === '' ? type : `${type}: ${limits}`);

function answerOf({ answer }: Operation, { responses }: Described, tables: SchemaTables): string {
  const content = responses['200']?.content?.['application/json'];
  if (answer.kind === 'nothing' || content === undefined) return '## Answer\n\nNothing: the body has no meaning.';
  const rows = tables.rowsOf(content.schema);
  const members = rows.length === 0 ? '' : `\n\n${membersTable(rows, 'always there')}`;
  return `## Answer\n\nThe body as it travels. The client gives what is in \`data\`, with amounts as \`Decimal\`.${members}\n\nFor example:\n\n\`\`\`json\n${JSON.stringify(content.example, null, 2)}\n\`\`\``;
}

function errorsOf({ responses }: Described, components: Components): string {
  const classes = new Map([...API_ERROR_CLASSES].map(([status, { name }]) => [String(status), name]));
  const rows = Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, response]) => {
      const shared = response.$ref === undefined ? undefined : components.responses[nameIn(response.$ref)];
      const known = classes.get(status);
      return [
        status,
        known === undefined ? '`ApiError`' : `[\`${known}\`](../reference/partner-sdk/classes/${known}.md)`,
        (shared ?? response).description ?? '',
        shared?.['x-common'] === true ? 'as any operation' : 'declared',
      ];
    });
  return `## Errors\n\n${tableOf(['status', 'class', 'meaning', 'for this operation'], rows)}`;
}

function sandboxOf({ 'x-invented': invented = [] }: Described): string {
  if (invented.length === 0) return '';
  return `## In the sandbox\n\nThis is not documented, so the sandbox had to choose. The service may do otherwise.\n\n${invented.map((choice) => `- ${choice}`).join('\n')}`;
}

function seeAlso(reference: string | undefined): string {
  const method = reference === undefined ? [] : [`[the method in the reference](${reference})`];
  return `## See also\n\n${['[all operations](../docs/reference/operations.md)', ...method, '[the protocol](../docs/reference/protocol.md)'].join(' · ')}`;
}
