/** Drawings of 20 × 20, by the name of a view. */
const PATHS: Readonly<Record<string, string>> = {
  requests: 'M3 6h11m0 0-3-3m3 3-3 3M17 14H6m0 0 3-3m-3 3 3 3',
  webhooks: 'M10 3a4 4 0 0 1 3 6.600l2 3.400M6 8.500 4 13h8M15 13a3 3 0 1 1-3 3M4 13a3 3 0 1 0 3 3',
  money: 'M3 5h14v10H3zM10 7.500v5M8 10h4',
  resources: 'M10 3 3 6.500 10 10l7-3.500zM3 10l7 3.500 7-3.500M3 13.500 10 17l7-3.500',
  try: 'M4 3v14l12-7z',
  faults: 'M11 2 4 11h5l-1 7 8-10h-5z',
  time: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM10 6v4l3 2',
  keys: 'M13 3a4 4 0 1 0-3.200 6.400L3 16v2h3v-2h2v-2h2l1.500-1.800',
  checks: 'M4 10l4 4 8-9',
  more: 'M4 10h.01M10 10h.01M16 10h.01',
};

/** The drawing of a view, beside its name or in its place. */
export const Icon = ({ name }: { readonly name: string }) => (
  <svg viewBox="0 0 20 20" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);
