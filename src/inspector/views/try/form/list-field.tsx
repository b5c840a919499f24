import type { ComponentChildren } from 'preact';
import { Mark, type SchemaFieldProps } from './field-frame.js';
import { hintOf, kindOf } from './schemas.js';

interface ListFieldProps extends SchemaFieldProps {
  /** The field of one item. */
  field(props: SchemaFieldProps): ComponentChildren;
}

/** A list: boxes to tick where the values are known, else one field for each item. */
export function ListField({ api, name, schema, isRequired, value, onValue, field: Item }: ListFieldProps) {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const item = api.resolved(schema.items ?? {});
  const set = (next: readonly unknown[]): void => onValue(next.length === 0 ? undefined : next);
  return (
    <fieldset class="members">
      <legend>
        {name} <Mark isRequired={isRequired} />
      </legend>
      <p class="hint">{hintOf(schema)}</p>
      {kindOf(api, item) === 'choice' ? (
        <div class="boxes">
          {(item.enum ?? []).map((one) => (
            <label key={one}>
              <input
                type="checkbox"
                checked={items.includes(one)}
                onChange={({ currentTarget: { checked } }) =>
                  set(checked ? [...items, one] : items.filter((other) => other !== one))
                }
              />{' '}
              {one}
            </label>
          ))}
        </div>
      ) : (
        <div class="fields">
          {items.map((one, index) => (
            <div class="item" key={index}>
              <Item
                api={api}
                name={`${name} ${index + 1}`}
                schema={item}
                isRequired={true}
                value={one}
                onValue={(next) => set(items.with(index, next ?? ''))}
              />
              <button
                type="button"
                class="quiet"
                aria-label={`Remove ${name} ${index + 1}`}
                onClick={() => set(items.toSpliced(index, 1))}
              >
                remove
              </button>
            </div>
          ))}
          <button type="button" onClick={() => set([...items, kindOf(api, item) === 'object' ? {} : ''])}>
            add {name}
          </button>
        </div>
      )}
    </fieldset>
  );
}
