import { isCheckout } from '../../kinds/ramp/checkout.js';
import { isDownload } from '../../kinds/reports/downloads.js';
import { CONTROL_PREFIX } from '../control/control-messages.js';

const WORLDS_PREFIX = `${CONTROL_PREFIX}worlds/`;

/** Everything of a world that needs no API key is below this path. */
export const pathOfWorld = (id: string): string => WORLDS_PREFIX + id;

/** The target of a request as its world sees it. */
export interface TargetInWorld {
  readonly id: string;
  /** What follows the path of the world, from its slash on. */
  readonly inner: string;
}

/** Undefined for a target that is not below the path of a world. */
export function targetInWorld(target: string): TargetInWorld | undefined {
  if (!target.startsWith(WORLDS_PREFIX)) return undefined;
  const [, id = '', inner = ''] = /^([^/?]+)(\/.*)$/s.exec(target.slice(WORLDS_PREFIX.length)) ?? [];
  return id === '' ? undefined : { id, inner };
}

/** True for a link that an answer of a world has given: its service answers it. */
export const isLink = (method: string, inner: string): boolean =>
  isDownload({ method, target: inner }) || isCheckout({ method, target: inner });

/** Returns the target in the control plane that a request for a world, or for none, leads to. */
export function controlTargetOf(target: string): string {
  const found = targetInWorld(target);
  return found === undefined ? target : CONTROL_PREFIX + found.inner.slice(1);
}
