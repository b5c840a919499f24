import type { Cause } from '../../../sandbox/core/request/refusal.js';

/** A list of members, each with what is wrong with it. */
export function Causes({ causes }: { readonly causes: readonly Cause[] }) {
  return (
    <ul class="causes">
      {causes.map(({ field, message }) => (
        <li key={`${field} ${message}`}>
          <code>{field}</code> {message}
        </li>
      ))}
    </ul>
  );
}
