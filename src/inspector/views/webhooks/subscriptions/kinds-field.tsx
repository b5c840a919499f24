interface KindsFieldProps {
  readonly kinds: readonly string[];
  /** Undefined: all. */
  readonly chosen: readonly string[] | undefined;
  readonly setChosen: (kinds: readonly string[] | undefined) => void;
}

/** Which kinds of events a webhook receives. */
export function KindsField({ kinds, chosen, setChosen }: KindsFieldProps) {
  const among = chosen ?? kinds;
  const flip = (kind: string): void => {
    const next = kinds.filter((one) => among.includes(one) !== (one === kind));
    setChosen(next.length === kinds.length ? undefined : next);
  };
  return (
    <fieldset class="kinds">
      <legend class="field-name">
        Kinds of events: {chosen === undefined ? 'all' : `${chosen.length} of ${kinds.length}`}{' '}
        <button type="button" class="quiet" onClick={() => setChosen(chosen === undefined ? [] : undefined)}>
          {chosen === undefined ? 'none' : 'all'}
        </button>
      </legend>
      {kinds.map((kind) => (
        <label key={kind}>
          <input type="checkbox" checked={among.includes(kind)} onChange={() => flip(kind)} /> {kind}
        </label>
      ))}
    </fieldset>
  );
}
