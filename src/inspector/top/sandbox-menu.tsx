import { Action } from '../parts/actions/button.js';
import { CurlSwitch } from '../parts/actions/curl.js';
import { calls } from '../parts/calls.js';
import { useReading } from '../parts/hooks.js';
import { Icon } from '../parts/icons.js';
import { hasSingleKeys, switchSingleKeys } from '../parts/keyboard.js';
import { Menu } from '../parts/menu.js';
import type { SandboxHealth } from '../wire/sandbox.js';
import { SetUpCopies } from './set-up.js';
import { KeyList } from './shortcuts.js';

/** What is about the whole sandbox. */
export function SandboxMenu() {
  const { data: health } = useReading<SandboxHealth>('health');
  return (
    <Menu label="Sandbox" title={<Icon name="more" />} look="icon">
      {() => (
        <div class="stack">
          <p class="soft">
            {location.origin} · seed {health?.seed ?? '…'} · version {health?.version ?? '…'}
          </p>
          <h2>Copy set-up</h2>
          <SetUpCopies />
          <CurlSwitch />
          <label>
            <input
              type="checkbox"
              checked={hasSingleKeys.value}
              onChange={({ currentTarget }) => switchSingleKeys(currentTarget.checked)}
            />{' '}
            Single keys act
          </label>
          <details>
            <summary>Keys of this page</summary>
            <KeyList />
          </details>
          <p class="actions">
            <Action
              label="Clear the requests"
              method="requests/clear"
              done=""
              ask={() => `This page and the journal forget all ${calls.peek().length} requests. Everything else stays.`}
            />
            <Action
              label="Reset"
              kind="danger"
              method="reset"
              done=""
              undo="The sandbox is as it was made: its data, its clock and its requests."
            />
          </p>
        </div>
      )}
    </Menu>
  );
}
