interface SelectProps {
  /** Its name where no field around it says it. */
  readonly label?: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, text: string])[];
  readonly choose: (value: string) => void;
}

/** A choice of one among several. */
export function Select({ label, value, choices, choose }: SelectProps) {
  return (
    <select aria-label={label} value={value} onChange={(event) => choose(event.currentTarget.value)}>
      {choices.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** Texts that stand for themselves. */
export const asChoices = (texts: readonly string[]): (readonly [string, string])[] => texts.map((one) => [one, one]);

/** Webhooks by their addresses. */
export const webhookChoices = (webhooks: readonly { id: string; url: string }[]): (readonly [string, string])[] =>
  webhooks.map(({ id, url }) => [id, url]);
