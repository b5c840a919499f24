import type { OptionField, Texts } from '../../parts/forms/option-fields.js';
import { OptionsForm } from '../../parts/forms/options-form.js';
import type { KnownOperation } from '../../parts/operations.js';
import type { Present } from './present.js';

interface AddFaultProps {
  readonly operations: readonly KnownOperation[];
  /** The operation that stands in a new form. */
  readonly operation: string | undefined;
  readonly keys: Present['keys'];
}

/** A form of every option of a fault, with its JSON and its curl line. */
export function AddFault({ operations, operation, keys }: AddFaultProps) {
  const isKnown = operations.some(({ name }) => name === operation);
  return (
    <OptionsForm
      label="Add the fault"
      method="faults/add"
      hasJson
      begin={isKnown && operation !== undefined ? { operation } : {}}
      fields={(texts) => fieldsFor(texts, operations, keys)}
      argsOf={({ status, cause, ...options }) => [
        {
          ...options,
          ...(status === undefined ? {} : { fault: status }),
          ...(cause === undefined ? {} : { causes: [cause] }),
        },
      ]}
    />
  );
}

const KINDS = [
  ['', 'a status (below)'],
  ['reset', 'reset: the connection breaks'],
  ['timeout', 'timeout: no answer comes'],
  ['html', 'html: the 502 page of a gateway'],
  ['truncate', 'truncate: half of a good answer'],
  ['garbage', 'garbage: an answer that is not JSON'],
  ['content_type', 'content_type: a good answer, labelled text/html'],
  ['slow', 'slow: a good answer, byte by byte'],
] as const;

const STATUSES = ['400', '401', '403', '404', '409', '410', '429', '500', '502', '503', '504', '204'];

/** The fields that fit what is filled in. */
function fieldsFor(texts: Texts, operations: readonly KnownOperation[], keys: Present['keys']): OptionField[] {
  const kind = texts['fault'] ?? '';
  const isError = kind === '' && Number(texts['status'] ?? DEFAULT_STATUS) >= 400;
  return [
    {
      name: 'operation',
      label: 'Operation',
      hint: 'The only one that goes wrong.',
      choices: [['', 'every request'], ...operations.map(({ name, title }) => [name, `${name} · ${title}`] as const)],
      group: WHAT,
    },
    { name: 'fault', label: 'Fault', hint: 'What the client sees.', choices: KINDS, group: WHAT },
    ...(kind === '' ? [STATUS] : []),
    ...(kind === 'slow' ? [PACE] : []),
    ...(kind === '' || kind === 'html' ? [RETRY_AFTER] : []),
    ...TIMES,
    {
      name: 'match.apiKey',
      label: 'API key',
      hint: 'The one that signs.',
      suggestions: keys.map(({ apiKey }) => apiKey),
      group: WHICH,
    },
    ...MATCH,
    ...(isError ? ERROR : []),
  ];
}

const DEFAULT_STATUS = '503';

const WHAT = 'What goes wrong';

const STATUS: OptionField = {
  name: 'status',
  label: 'Status',
  hint: '200 to 599, in the form of the service’s errors.',
  kind: 'number',
  choices: [
    [DEFAULT_STATUS, DEFAULT_STATUS],
    ...STATUSES.filter((one) => one !== DEFAULT_STATUS).map((one) => [one, one] as const),
  ],
  group: WHAT,
};

const PACE: OptionField = {
  name: 'bytesPerSecond',
  label: 'Bytes per second',
  hint: 'The pace of the body. By default 10.',
  kind: 'number',
  group: WHAT,
};

const RETRY_AFTER: OptionField = {
  name: 'retryAfterSeconds',
  label: 'Retry-After',
  hint: 'Seconds, or left: the rest of its time. By default not sent.',
  kind: 'number',
  suggestions: ['1', '30', 'left'],
  group: WHAT,
};

const WHEN = 'When, and how often';
const WHICH = 'Which requests';
const ANSWER = 'What the error says';

const TIMES: readonly OptionField[] = [
  {
    name: 'when',
    label: 'Before or after the effect',
    hint: 'After: it took place, and its answer is lost.',
    choices: [
      ['', 'as usual for the fault'],
      ['before', 'before: nothing happens'],
      ['after', 'after: it takes place'],
    ],
    group: WHEN,
  },
  {
    name: 'times',
    label: 'Times',
    hint: 'How many requests fail, or always. By default 1; always with a time.',
    kind: 'number',
    suggestions: ['1', '2', '5', 'always'],
    group: WHEN,
  },
  {
    name: 'probability',
    label: 'Probability',
    hint: 'The share of them that fails, above 0 to 1. By default 1.',
    kind: 'number',
    suggestions: ['0.1', '0.5'],
    group: WHEN,
  },
  {
    name: 'for',
    label: 'For so long',
    hint: 'Milliseconds of the sandbox’s clock. By default without end.',
    kind: 'number',
    suggestions: ['60000', '600000'],
    group: WHEN,
  },
  {
    name: 'afterMs',
    label: 'Begins after',
    hint: 'Milliseconds of the sandbox’s clock. By default at once.',
    kind: 'number',
    group: WHEN,
  },
];

const MATCH: readonly OptionField[] = [
  { name: 'match.account', label: 'Account', hint: 'The one that the path names.', group: WHICH },
  { name: 'match.key', label: 'Idempotency key', hint: 'In upper or lower case.', group: WHICH },
  { name: 'match.path', label: 'Path', hint: 'Without query. With * at its end: what begins so.', group: WHICH },
  {
    name: 'match.nth',
    label: 'From the nth',
    hint: '3: the first two that fit go well.',
    kind: 'number',
    group: WHICH,
  },
];

const ERROR: readonly OptionField[] = [
  { name: 'code', label: 'Code', hint: 'By default the operation’s own for the status.', group: ANSWER },
  { name: 'type', label: 'Type', hint: 'By default that of the status.', group: ANSWER },
  { name: 'cause.field', label: 'Cause: field', hint: 'For example amount.', group: ANSWER },
  { name: 'cause.message', label: 'Cause: message', hint: 'For example is too small.', group: ANSWER },
  { name: 'docUrl', label: 'Document', hint: 'The doc_url of the error.', group: ANSWER },
];
