import type { ComponentChildren } from 'preact';

interface FactsProps {
  /** Values by name. A name may come twice. What is undefined or false is left out. */
  readonly facts: readonly (readonly [name: ComponentChildren, value: ComponentChildren])[];
}

/** Names with their values, in two columns. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl class="facts">
      {facts.map(
        ([name, value], place) =>
          value !== undefined &&
          value !== false && [<dt key={`${place} name`}>{name}</dt>, <dd key={place}>{value}</dd>],
      )}
    </dl>
  );
}
