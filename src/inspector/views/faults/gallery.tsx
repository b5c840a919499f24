import { useEffect } from 'preact/hooks';
import { Copy } from '../../parts/actions/copy.js';
import { carryOut, lineOf } from '../../parts/actions/deed.js';
import { useAction } from '../../parts/hooks.js';
import { Panel } from '../../parts/panel.js';
import { forgetUndo, keepUndo, keptUndo } from './kept-undo.js';
import type { Present } from './present.js';
import { TROUBLES, type Trouble } from './troubles.js';

interface GalleryProps {
  readonly present: Present;
}

/** Every trouble of production as a card. */
export function Gallery({ present }: GalleryProps) {
  return (
    <Panel title="Troubles of production" hint="One click starts a trouble, and one stops it.">
      {TROUBLES.map(([group, troubles]) => (
        <section key={group} aria-label={group}>
          <h3>{group}</h3>
          <ul class="cards">
            {troubles.map((trouble) => (
              <Card key={trouble.title} trouble={trouble} present={present} />
            ))}
          </ul>
        </section>
      ))}
    </Panel>
  );
}

interface CardProps extends GalleryProps {
  readonly trouble: Trouble;
}

function Card({ trouble: { title, text, ...trouble }, present }: CardProps) {
  const { said, run } = useAction();
  const isShown = trouble.isShown(present);
  const [show, plain] = [trouble.show(present), trouble.undo(present)];
  // A member of a collection is taken away: there is nothing to put back.
  const before = isShown && 'method' in plain ? keptUndo(title) : undefined;
  const undo = before ?? plain;
  const deed = isShown ? undo : show;
  useEffect(() => {
    if (!isShown) forgetUndo(title);
  }, [isShown, title]);
  const act = (): Promise<unknown> => {
    if (!isShown) keepUndo(title, undo);
    return carryOut(deed);
  };
  return (
    <li class={isShown ? 'card is-shown' : 'card'}>
      <h4>{title}</h4>
      {isShown && <span class="badge badge-bad">on</span>}
      <p>{text}</p>
      {isShown && 'method' in undo && before === undefined && (
        <p class="note">Was set elsewhere: the default is put back.</p>
      )}
      <button type="button" aria-label={`${isShown ? 'Stop' : 'Start'}: ${title}`} onClick={() => run(act, '')}>
        {isShown ? 'Stop' : 'Start'}
      </button>
      <Copy label="curl" of={isShown ? `Stop: ${title}` : `Start: ${title}`} text={() => lineOf(deed)} />
      <span role="status">{said}</span>
      <details>
        <summary>from a shell</summary>
        <p>Starts the trouble:</p>
        <code>{lineOf(show)}</code>
        <p>Stops it{'id' in undo && undo.id === 'ID' && ', with the id that the first line answers'}:</p>
        <code>{lineOf(undo)}</code>
      </details>
    </li>
  );
}
