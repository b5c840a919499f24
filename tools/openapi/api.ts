/** `openapi.json`: all operations of the service, made from their data and the package's types. */
import { operations } from '../../src/resources/operations.js';
import { VERSION } from '../../src/version.js';
import type { Example } from '../examples/examples.js';
import type { Payloads } from '../examples/payloads.js';
import { Components, type JsonSchema } from '../schemas/components.js';
import { Schemas } from '../schemas/schemas.js';
import type { Sources } from '../schemas/sources.js';
import { answerSchema } from './answers.js';
import { ERROR_SCHEMAS, sharedResponses } from './errors.js';
import { markedServiceMember } from './id-marks.js';
import { neutralDocument } from './neutral.js';
import { describeOperation, tagOf } from './operations.js';
import { Parameters, type Parts } from './parts.js';
import { SECURITY_SCHEMES, SIGNING_RULE } from './security.js';
import { describeWebhooks } from './webhooks.js';

const DESCRIPTION = `A partner acts for end users and their accounts: users, assets, quotes, conversions, funds, earn, ramp, webhooks.

All monetary and quantity values are decimal texts, never JSON numbers. All timestamps are ISO 8601, UTC. Answers may have members and values that are not described here: ignore what you do not know. Requests may not, unless the description of their body allows it.

A list is read page by page: \`next_page_token\` of an answer is the \`page_token\` of the next request (\`cursor\` for the ledger of funds: \`x-pagination\` names it). Without it the list is at its end.

\`webhooks\` are the events that the service delivers. \`default\` is the value that the service takes for an absent member.

${SIGNING_RULE}

\`x-stability\`: \`specified\` by the service's description, \`documented\` in its public reference, \`partial\`: only parts are known, or \`assumed\`: the path is inferred from an older edition. \`x-idempotency\`: \`safe\` to send again, \`keyed\` by \`Idempotency-Key\`, or \`unkeyed\`. \`x-invented\`: the sandbox had to choose this, and the service may do otherwise. \`x-common\`: the error is one that every operation may answer, and not declared for this one.`;

export function apiDocument(sources: Sources, examples: ReadonlyMap<string, Example>, payloads: Payloads): JsonSchema {
  const components = new Components();
  const parts: Parts = {
    sources,
    examples,
    components,
    parameters: new Parameters(),
    client: sources.exported('src/index.ts', 'PartnerClient'),
    output: new Schemas(sources, components, 'output', markedServiceMember),
    input: new Schemas(sources, components, 'input', markedServiceMember),
  };
  // Answers first: the names are theirs. An input of another form has a name of its own.
  for (const operation of operations) answerSchema(parts, operation);
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describeOperation(parts, operation),
    };
  }
  const webhooks = describeWebhooks(parts, payloads);
  return neutralDocument({
    openapi: '3.1.0',
    info: {
      title: 'Partner Trading, Funding and Account API',
      version: 'v1',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The service', url: 'https://docs.partner.example' },
      'x-package-version': VERSION,
    },
    servers: [
      {
        url: 'http://127.0.0.1:8420',
        description: 'The sandbox on this machine. The address of the service comes with your credentials.',
      },
    ],
    security: [{ ApiKey: [], ApiNonce: [], ApiSign: [] }],
    tags: tags(parts),
    paths,
    webhooks,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: parts.parameters.all(),
      headers: HEADERS,
      responses: sharedResponses(),
      schemas: { ...ERROR_SCHEMAS, ...components.all() },
    },
  });
}

const HEADERS = {
  IdempotentReplayed: {
    description: 'The answer is that of an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  RetryAfter: {
    description: 'Seconds after which the request may succeed, or a date.',
    schema: { type: 'string' },
  },
};

/** The groups of operations, with the docstrings of their classes. */
function tags({ sources, client }: Parts): JsonSchema[] {
  return [...new Set(operations.map(tagOf))].map((name) => {
    const member = sources.memberAt(client, name.split('.'));
    const group = member && sources.checker.getTypeOfSymbol(member).getSymbol();
    const description = group && sources.docOf(group);
    return { name, description: description ?? name };
  });
}
