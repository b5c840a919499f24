import { useState } from 'preact/hooks';
import { call, curlOf } from '../wire/api.js';
import type { KnownOutcome } from '../wire/sandbox.js';
import { Button } from './actions/button.js';
import { useServiceApi } from './forms/documents.js';
import { MethodForm } from './forms/method-form.js';
import { at, isMembers, type Members } from './forms/schema.js';
import { Select } from './forms/select.js';
import { useReading } from './hooks.js';
import { NOT_OF_DELIVERIES } from './troubles.js';

/** What a call can get, and what the page calls it. The form below the sentence has all others. */
const FAULTS = [
  ['503', '503'],
  ['500', '500'],
  ['429', '429'],
  ['401', '401'],
  ['404', '404'],
  ['reset', 'a broken connection'],
  ['timeout', 'no response'],
  ['html', 'a gateway’s page'],
  ['truncate', 'half a response'],
  ['slow', 'a slow response'],
] as const;

/** Faults that spoil a good response, which there is only after the effect. */
const SPOILING = ['truncate', 'slow'];

interface FailNextProps {
  /** The operation that is chosen at first. */
  readonly operation?: string | undefined;
  /** The only path, for requests that are of no operation. */
  readonly path?: string | undefined;
}

/** One sentence that lets the next calls fail, and below it all that a trouble can be. */
export function FailNext({ operation: first = '', path }: FailNextProps) {
  const { data: api } = useServiceApi();
  const [times, setTimes] = useState(1);
  const [operation, setOperation] = useState(first);
  const [fault, setFault] = useState('503');
  const [when, setWhen] = useState('before');
  const [isUnfolded, setUnfolded] = useState(false);
  const does = /^\d+$/.test(fault) ? Number(fault) : fault;
  const match = operation === '' ? path && { path } : { operation };
  const options = { ...(match && { match }), does, when, times };
  return (
    <>
      <p class="sentence">
        The next{' '}
        <input
          type="number"
          min={1}
          aria-label="Number of calls"
          value={times}
          onInput={({ currentTarget }) => setTimes(Number(currentTarget.value) || 1)}
        />{' '}
        {times === 1 ? 'call' : 'calls'} of{' '}
        {path === undefined ? (
          <Select
            label="Operation"
            all="any operation"
            value={operation}
            of={(api?.operations ?? []).map(({ name }) => name)}
            onChange={setOperation}
          />
        ) : (
          <code>{path}</code>
        )}{' '}
        {times === 1 ? 'gets' : 'get'}{' '}
        <Select
          label="Fault"
          value={fault}
          of={FAULTS}
          onChange={(next) => {
            setFault(next);
            setWhen(SPOILING.includes(next) ? 'after' : 'before');
          }}
        />{' '}
        <Select label="Time of the fault" value={when} of={['before', 'after']} onChange={setWhen} /> the effect.{' '}
        <Button
          label={times === 1 ? 'Fail it' : 'Fail them'}
          kind="main"
          done={times === 1 ? 'The next one fails.' : `The next ${times} fail.`}
          run={() => call('troubles/add', options)}
          curl={() => curlOf('troubles/add', options)}
        />
      </p>
      <details onToggle={() => setUnfolded(true)}>
        <summary>More …</summary>
        {isUnfolded && <AnyTrouble key={JSON.stringify(options)} begin={options} />}
      </details>
    </>
  );
}

/** A form of every option of a trouble. */
function AnyTrouble({ begin: { does, ...begin } }: { readonly begin: Members }) {
  const { data: known = [] } = useReading<readonly KnownOutcome[]>('troubles/outcomes');
  const fit = (values: Members) => {
    const of = known.filter((one) => one.operation === at(values, ['options', 'match', 'operation']));
    const taken = of.find(({ outcome }) => outcome === at(values, ['options', 'does', 'outcome']))?.takes ?? [];
    return {
      hidden: [...hiddenFor(at(values, ['options', 'does'])), ...without(['afterMs', 'reason'], taken)],
      choices: {
        'options.does.outcome': of.map(({ outcome, summary }) => [outcome, `${outcome}: ${summary}`] as const),
      },
    };
  };
  const options = { ...begin, does: { fault: does } };
  return <MethodForm label="Add the trouble" method="troubles/add" begin={{ options }} fit={fit} />;
}

/** The paths of the options that do not fit what it does. */
function hiddenFor(does: unknown): string[] {
  if (!isMembers(does)) return [];
  if ('delivery' in does) return NOT_OF_DELIVERIES;
  const { fault } = does;
  const isStatus = typeof fault === 'number';
  const fitting = [
    ...(fault === 'slow' ? ['bytesPerSecond'] : []),
    ...(isStatus || fault === 'html' ? ['retryAfterSeconds'] : []),
    ...(isStatus && fault >= 400 ? ['code', 'type', 'causes', 'docUrl'] : []),
  ];
  const all = ['bytesPerSecond', 'retryAfterSeconds', 'code', 'type', 'causes', 'docUrl'];
  return [
    'options.match.event',
    'options.match.eventId',
    ...('fault' in does ? [] : ['options.when']),
    ...without(all, fitting),
  ];
}

/** The paths of these members of `does` but for some. */
const without = (names: readonly string[], fitting: readonly string[]): string[] =>
  names.filter((name) => !fitting.includes(name)).map((name) => `options.does.${name}`);
