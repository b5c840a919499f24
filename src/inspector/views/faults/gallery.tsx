import { useEffect } from 'preact/hooks';
import { Curl } from '../../parts/actions/curl.js';
import { carryOut, type Deed, lineOf } from '../../parts/actions/deed.js';
import { useAction } from '../../parts/hooks.js';
import { Panel } from '../../parts/panel.js';
import { BASE } from '../../wire/api.js';
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
      <Curl of={isShown ? `Stop: ${title}` : `Start: ${title}`} text={() => lineOf(deed)} />
      <span role="status">{said}</span>
    </li>
  );
}

/** The pages of all worlds have one storage. */
const nameOf = (title: string): string => `${BASE} take back: ${title}`;

/** Keeps what takes a trouble back to what was set before it. It outlives a reload of the page. */
const keepUndo = (title: string, undo: Deed): void => sessionStorage.setItem(nameOf(title), JSON.stringify(undo));

const forgetUndo = (title: string): void => sessionStorage.removeItem(nameOf(title));

/** Undefined: the trouble was not shown by this page. */
function keptUndo(title: string): Deed | undefined {
  const kept = sessionStorage.getItem(nameOf(title));
  return kept === null ? undefined : JSON.parse(kept);
}
