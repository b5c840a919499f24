import { Action, Removal } from '../../parts/actions/action.js';
import { Told } from '../../parts/actions/told.js';
import { MethodForm } from '../../parts/forms/method-form.js';
import { hrefOf } from '../../parts/links/route.js';
import { Panel } from '../../parts/panel.js';
import { useQuota } from '../../parts/quota.js';
import { Table } from '../../parts/table.js';
import { spanOf } from '../../parts/values/format.js';
import type { Present } from './present.js';

interface LatencyProps {
  readonly latency: Present['latency'];
}

/** Holds answers back. */
export function Latency({ latency }: LatencyProps) {
  return (
    <Panel
      title="Latency"
      hint="A request takes effect when it arrives; its answer is held back. The newest that fits counts."
    >
      <Table
        caption="Delays of answers"
        rows={latency}
        keyOf={({ id }) => id}
        empty=""
        columns={[
          {
            title: 'requests',
            cell: ({ operation, match }) => [operation ?? 'all', ...Object.entries(match ?? {}).flat()].join(' '),
          },
          { title: 'delay', cell: ({ ms }) => `${typeof ms === 'number' ? ms : ms.join(' to ')} ms` },
          {
            title: 'take back',
            cell: ({ id }) =>
              id === 'base' ? 'set at the start' : <Removal label="take back" collection="latency" id={id} />,
          },
        ]}
      />
      <MethodForm label="Set the delay" method="latency/set" />
      <Action label="Take all delays back" method="latency/clear" />
    </Panel>
  );
}

/** The rest of each API key's quota. */
export function Quota() {
  const reading = useQuota();
  const { data } = reading;
  return (
    <Panel title="Quota" hint="Above it a request is answered 429, with the seconds to wait in Retry-After.">
      <Told reading={reading} />
      {data !== undefined && (
        <>
          <p>
            {data.quota === undefined
              ? 'No quota for all keys.'
              : `${data.quota.requests} requests of each key in ${spanOf(data.quota.per)}.`}
          </p>
          <Table
            caption="Quotas of the API keys"
            rows={data.keys}
            keyOf={({ apiKey }) => apiKey}
            empty="No API key has a quota."
            columns={[
              { title: 'API key', cell: ({ apiKey }) => <a href={hrefOf('keys', apiKey)}>{apiKey}</a> },
              {
                title: 'left',
                cell: ({ left, requests }) => (
                  <>
                    <meter min={0} max={requests} value={left} aria-label="requests left" /> {left} of {requests}
                  </>
                ),
              },
              {
                title: 'window',
                cell: ({ endsInMs }) =>
                  endsInMs === undefined ? 'begins with the next request' : `ends in ${spanOf(endsInMs)}`,
              },
            ]}
          />
        </>
      )}
      <MethodForm label="Set the quota" method="quota/set" />
      <Action label="Take the quota away" method="quota/clear" />
    </Panel>
  );
}
