import { isCheckout } from '../../kinds/ramp/checkout.js';
import { isDownload } from '../../kinds/reports/downloads.js';
import { CONTROL_PREFIX } from '../control/control-messages.js';

const WORLDS_PREFIX = `${CONTROL_PREFIX}worlds/`;

/** Returns the path prefix of everything in a world that needs no API key. */
export const pathOfWorld = (id: string): string => WORLDS_PREFIX + id;

/** A request target in a world. */
export interface TargetInWorld {
  readonly id: string;
  /** The rest after the path of the world, with its slash. */
  readonly inner: string;
}

/** Returns undefined for a target outside the paths of worlds. */
export function targetInWorld(target: string): TargetInWorld | undefined {
  if (!target.startsWith(WORLDS_PREFIX)) return undefined;
  const [, id = '', inner = ''] = /^([^/?]+)(\/.*)$/s.exec(target.slice(WORLDS_PREFIX.length)) ?? [];
  return id === '' ? undefined : { id, inner };
}

/** True for a link from an answer of a world, which its service answers. */
export const isLink = (method: string, inner: string): boolean =>
  isDownload({ method, target: inner }) || isCheckout({ method, target: inner });

/** Returns the target within the control plane, for a request with or without a world. */
export function controlTargetOf(target: string): string {
  const found = targetInWorld(target);
  return found === undefined ? target : CONTROL_PREFIX + found.inner.slice(1);
}
