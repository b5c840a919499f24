import { useState } from 'preact/hooks';
import type { Checkpoint } from '../../sandbox/drive/snapshot/checkpoints.js';
import { Action, Removal } from '../parts/actions/action.js';
import { MethodForm } from '../parts/forms/method-form.js';
import { useReading } from '../parts/hooks.js';
import { momentOf } from '../parts/values/format.js';

interface CheckpointsProps {
  readonly onRestored: () => void;
}

/** Keeps the present state under a name, and restores it. */
export function Checkpoints({ onRestored }: CheckpointsProps) {
  const { data = [], problem, again } = useReading<Checkpoint[]>('checkpoints');
  // Each checkpoint begins another form.
  const [made, setMade] = useState(0);
  const create = (): void => {
    setMade(made + 1);
    again();
  };
  return (
    <>
      <p class="hint">
        A checkpoint keeps the data and the clock. A restore leaves the timeline and the faults as they are.
      </p>
      <MethodForm key={made} label="Create" method="checkpoints/add" onDone={create} />
      {problem !== undefined && <p class="note">{problem}</p>}
      {data.length === 0 && <p class="soft">There is no checkpoint yet.</p>}
      <ul class="plain-list">
        {data.map((one) => (
          <li key={one.name}>
            <b>{one.name}</b> <span class="soft">{momentOf(one.at)}</span>{' '}
            <Action
              label={`Restore ${one.name}`}
              method="restore"
              args={[one.name]}
              done="restored"
              onDone={onRestored}
            />
            <Removal label={`Remove ${one.name}`} collection="checkpoints" id={one.name} onDone={again} />
          </li>
        ))}
      </ul>
    </>
  );
}
