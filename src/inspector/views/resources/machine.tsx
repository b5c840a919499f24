import { useMemo } from 'preact/hooks';
import type { StateMachine, StateTransition } from '../../../sandbox/drive/look/machines.js';
import { useNarrow } from '../../parts/row-height.js';
import { BOX, drawingOf } from './machine-layout.js';

interface MachineProps {
  readonly machine: StateMachine;
  /** The present state. */
  readonly status: string;
}

/**
 * The states of a kind of resources with the present one lit, and the ways that lead on from it.
 */
export function Machine({ machine, status }: MachineProps) {
  const isNarrow = useNarrow();
  const { width, height, boxes, lines } = useMemo(
    () => drawingOf(machine, isNarrow),
    [JSON.stringify(machine), isNarrow],
  );
  const ahead = machine.transitions.filter(({ from }) => from === status);
  const rest = machine.transitions.filter(({ from }) => from !== status);
  const said = machine.states.map((state) => (state === status ? `${state} (now)` : state)).join(', ');
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it. */}
      <section class="machine" aria-label="States" tabIndex={0}>
        <svg viewBox={`0 0 ${width} ${height}`} width={width} role="img" aria-label={`States: ${said}`}>
          <defs>
            <marker
              id="way-end"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerUnits="userSpaceOnUse"
              markerWidth="8"
              markerHeight="8"
              orient="auto"
            >
              <path d="M0 0L8 4L0 8z" />
            </marker>
          </defs>
          {lines.map(({ from, to, path }) => (
            <path
              key={`${from} ${to}`}
              d={path}
              class={from === status ? 'way ahead' : 'way'}
              marker-end="url(#way-end)"
            />
          ))}
          {boxes.map(({ state, x, y }) => (
            <g key={state} class={state === status ? 'state now' : 'state'} transform={`translate(${x} ${y})`}>
              <rect {...BOX} rx="6" />
              <text x={BOX.width / 2} y={BOX.height / 2} text-anchor="middle" dominant-baseline="central">
                {state === status ? `● ${state}` : state}
              </text>
            </g>
          ))}
        </svg>
      </section>
      {!machine.states.includes(status) && <p class="hint">{status} was set by hand and is none of these states.</p>}
      {ahead.length > 0 && <Ways ways={ahead} />}
      {machine.terminal.includes(status) && (
        <p class="hint">Final: neither a timer nor a request changes this state.</p>
      )}
      {rest.length > 0 && (
        <details>
          <summary>Other transitions</summary>
          <Ways ways={rest} />
        </details>
      )}
    </>
  );
}

function Ways({ ways }: { readonly ways: readonly StateTransition[] }) {
  return (
    <ul class="ways">
      {ways.map(({ from, to, by }) => (
        <li key={`${from} ${to}`}>
          <code>
            {from} → {to}
          </code>{' '}
          by {by}
        </li>
      ))}
    </ul>
  );
}
