import type { ViewProps } from '../../parts/view-props.js';

export function Time(_: ViewProps) {
  return <p class="empty">This view is not there yet.</p>;
}
