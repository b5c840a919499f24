import { useState } from 'preact/hooks';
import type { SandboxCredentials } from '../../../sandbox/core/keys/api-keys.js';
import type { ApiKeyScope } from '../../../sandbox/core/keys/scopes.js';
import type { SandboxKey } from '../../../sandbox/drive/keys.js';
import type { KeyQuotaLevel } from '../../../sandbox/trouble/settings/quota.js';
import { Action } from '../../parts/actions/action.js';
import { Copy } from '../../parts/actions/copy.js';
import { Masked } from '../../parts/actions/masked.js';
import { OptionsForm } from '../../parts/forms/options-form.js';
import { useReading } from '../../parts/hooks.js';
import { Panel } from '../../parts/panel.js';
import { momentOf, spanOf } from '../../parts/values/format.js';
import type { Live } from '../../wire/live.js';
import { keepSecret, secretOf } from './secrets.js';
import { State } from './state.js';

/** Requests that each scope allows. */
const SCOPES: Readonly<Record<ApiKeyScope, string>> = {
  read: 'every GET',
  trade: 'quotes, swaps, conversions, earn',
  funds: 'withdrawals, deposits, transfers, addresses, wallets',
  users: 'users and their verifications',
  webhooks: 'webhooks',
};

const WHICH = [
  ['all', 'everything: all scopes'],
  ['some', 'only these scopes'],
] as const;

interface KeyDetailsProps {
  readonly live: Live;
  readonly apiKey: SandboxKey;
  /** True for the key of `credentials`. */
  readonly isFirst: boolean;
  readonly level: KeyQuotaLevel | undefined;
}

/** An API key, and all that can be done with it. */
export function KeyDetails({ live, apiKey: key, isFirst, level }: KeyDetailsProps) {
  const { apiKey, label, revoked } = key;
  const first = useReading<SandboxCredentials>(isFirst ? 'credentials' : undefined);
  const [, redraw] = useState({});
  const secret = isFirst ? first.data?.apiSecret : secretOf(live, apiKey);
  const keep = (answer: unknown): void => {
    keepSecret(live, answer as SandboxCredentials);
    // The event of the change may have come before the answer.
    redraw({});
  };
  return (
    <Panel title={`Key ${label ?? (isFirst ? 'of the credentials' : '')}`}>
      <dl class="facts">
        <dt>API key</dt>
        <dd>
          {apiKey} <Copy label="copy" of="the API key" text={apiKey} />
        </dd>
        <dt>secret</dt>
        <dd>
          {secret === undefined ? (
            'was told when the key was issued; a new one takes its place below'
          ) : (
            <Masked label="the secret" secret={secret} />
          )}
        </dd>
        <Facts apiKey={key} level={level} />
      </dl>
      <p class="actions">
        <Action
          label={revoked ? 'Reinstate the key' : 'Revoke the key'}
          method={revoked ? 'keys/reinstate' : 'keys/revoke'}
          args={[apiKey]}
        />
        <Action label="New secret" method="keys/rotateSecret" args={[apiKey]} onDone={keep} />
      </p>
      <Terms apiKey={key} />
    </Panel>
  );
}

function Facts({ apiKey, level }: { readonly apiKey: SandboxKey; readonly level: KeyQuotaLevel | undefined }) {
  const { createdAt, scopes, quota, nonceWindow, lastNonce, lastUse, requests, races, revoked } = apiKey;
  return (
    <>
      <dt>state</dt>
      <dd>
        <State isRevoked={revoked} />
      </dd>
      <dt>created</dt>
      <dd>{createdAt === undefined ? 'unknown' : momentOf(createdAt)}</dd>
      <dt>last nonce</dt>
      <dd>
        {lastNonce === undefined
          ? 'none yet'
          : `${lastNonce.nonce}${lastNonce.time === undefined ? ', no time' : `, ${momentOf(lastNonce.time.at)} in ${lastNonce.time.unit}`}`}
      </dd>
      <dt>last use</dt>
      <dd>
        {lastUse === undefined
          ? 'never in this run'
          : `${momentOf(lastUse.at)}, by the machine’s clock ${momentOf(lastUse.real)}`}
      </dd>
      <dt>requests</dt>
      <dd>{requests}</dd>
      <dt>races</dt>
      <dd>{races === 0 ? '0' : `${races}: answered 401, as a nonce as high had been used`}</dd>
      <dt>scopes</dt>
      <dd>{scopes?.join(', ') ?? 'all'}</dd>
      <dt>nonce window</dt>
      <dd>{nonceWindow === 0 ? '0: nonces rise strictly' : nonceWindow}</dd>
      <dt>quota</dt>
      <dd>
        {quota === undefined ? 'no limit' : `${quota.requests} in ${spanOf(quota.per)}`}
        {level !== undefined && `, ${level.left} left`}
        {level?.endsInMs !== undefined && `, the window ends in ${spanOf(level.endsInMs)}`}
      </dd>
    </>
  );
}

function Terms({ apiKey: { apiKey, scopes, nonceWindow } }: Pick<KeyDetailsProps, 'apiKey'>) {
  return (
    <>
      <OptionsForm
        label="Set the scopes"
        method="keys/setScopes"
        begin={{
          which: scopes === undefined ? 'all' : 'some',
          ...Object.fromEntries((scopes ?? []).map((scope) => [scope, 'true'])),
        }}
        fields={({ which }) => [
          { name: 'which', label: 'The key may do', choices: WHICH, group: 'Scopes' },
          ...(which === 'some'
            ? Object.entries(SCOPES).map(([name, hint]) => ({
                ...{ name, label: name, hint, kind: 'flag' as const, group: 'Scopes' },
              }))
            : []),
        ]}
        argsOf={({ which, ...ticked }) => [apiKey, which === 'all' ? null : Object.keys(ticked)]}
      />
      <OptionsForm
        label="Set the nonce window"
        method="keys/setNonceWindow"
        begin={{ nonceWindow: String(nonceWindow) }}
        fields={() => [
          {
            name: 'nonceWindow',
            label: 'Nonce window',
            hint: 'A nonce may come late, once, while at most so many higher ones were used. 0: they rise strictly.',
            kind: 'number',
          },
        ]}
        argsOf={({ nonceWindow: width }) => [apiKey, width]}
      />
      <OptionsForm
        label="Set its quota"
        method="keys/setQuota"
        fields={() => [
          {
            name: 'requests',
            label: 'Requests',
            hint: 'In one window. Both empty: the quota of all keys.',
            kind: 'number',
          },
          { name: 'per', label: 'Window', hint: 'Milliseconds.', kind: 'number' },
        ]}
        argsOf={(quota) => [apiKey, Object.keys(quota).length === 0 ? null : quota]}
      />
    </>
  );
}
