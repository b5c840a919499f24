import type { Api, Schema } from '../document.js';
import { MembersFields } from './schema-field.js';
import { hintOf } from './schemas.js';

interface BodyFormProps {
  readonly api: Api;
  readonly schema: Schema;
  /** The body as it is sent. */
  readonly text: string;
  onText(text: string): void;
}

/** A body as fields and as JSON, side by side: a change of one is a change of the other. */
export function BodyForm({ api, schema, text, onText }: BodyFormProps) {
  const described = api.resolved(schema);
  const read = parsed(text);
  return (
    <fieldset class="part">
      <legend>Body</legend>
      <p class="hint">{hintOf(described)}</p>
      <div class="body">
        <div>
          {'problem' in read ? (
            <p class="note">The JSON cannot be read: {read.problem}. The fields come back when it can.</p>
          ) : (
            <MembersFields
              api={api}
              schema={described}
              value={read.value}
              onValue={(value) => onText(JSON.stringify(value ?? {}, null, 2))}
            />
          )}
        </div>
        <label class="json">
          <span class="field-name">as JSON, which is sent</span>
          <textarea
            value={text}
            onInput={({ currentTarget }) => onText(currentTarget.value)}
            spellcheck={false}
            rows={Math.min(30, text.split('\n').length + 2)}
          />
        </label>
      </div>
    </fieldset>
  );
}

function parsed(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
