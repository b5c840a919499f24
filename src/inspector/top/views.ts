/** A view as the navigation, the keyboard and the jump reach it. */
export interface ViewName {
  /** In the address. */
  readonly name: string;
  readonly title: string;
  /** The key after `g` that leads to it. */
  readonly letter: string;
}

/** The views, in the groups of the navigation. */
export const GROUPS: readonly (readonly [title: string, views: readonly ViewName[]])[] = [
  [
    '',
    [
      { name: 'requests', title: 'Requests', letter: 'r' },
      { name: 'webhooks', title: 'Webhooks', letter: 'w' },
      { name: 'money', title: 'Money', letter: 'm' },
      { name: 'resources', title: 'Resources', letter: 's' },
    ],
  ],
  [
    'Make it happen',
    [
      { name: 'try', title: 'Try a call', letter: 'y' },
      { name: 'faults', title: 'Faults', letter: 'f' },
      { name: 'time', title: 'Time', letter: 't' },
    ],
  ],
  [
    'Set-up',
    [
      { name: 'keys', title: 'Keys', letter: 'k' },
      { name: 'checks', title: 'Checks', letter: 'c' },
    ],
  ],
];

export const VIEW_NAMES: readonly ViewName[] = GROUPS.flatMap(([, views]) => views);
