/** A view as the navigation, the keyboard and the jump reach it. */
export interface ViewName {
  /** In the address. */
  readonly name: string;
  readonly title: string;
  /** The key after `g` that leads to it. */
  readonly letter: string;
  /** Heading of the group of the navigation that begins with it. */
  readonly group?: string;
}

/** The views, in the order of the navigation. */
export const VIEWS: readonly ViewName[] = [
  { name: 'requests', title: 'Requests', letter: 'r' },
  { name: 'webhooks', title: 'Webhooks', letter: 'w' },
  { name: 'money', title: 'Money', letter: 'm' },
  { name: 'resources', title: 'Resources', letter: 's' },
  { name: 'try', title: 'Try a call', letter: 'y', group: 'Make it happen' },
  { name: 'faults', title: 'Faults', letter: 'f' },
  { name: 'time', title: 'Time', letter: 't' },
  { name: 'keys', title: 'Keys', letter: 'k', group: 'Set-up' },
  { name: 'checks', title: 'Checks', letter: 'c' },
];
