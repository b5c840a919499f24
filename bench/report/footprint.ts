import type { Footprint } from './results.js';
import { figure, table } from './table.js';

export function footprintTable({ peakMemory, start, sizes }: Footprint): string {
  const names = new Set([...peakMemory.keys(), ...start.keys(), ...sizes.keys()]);
  return table(
    [...names].map((client) => {
      const size = sizes.get(client);
      const { importing, firstAnswer, firstAnswerRatio } = start.get(client) ?? {};
      return {
        client,
        version: size?.version ?? '',
        'peak memory, MB': figure(megabytes(peakMemory.get(client))),
        'import, ms': figure(importing),
        'first answer, ms': figure(firstAnswer),
        'to the floor with zod': figure(firstAnswerRatio, 2),
        'installed, MB': figure(megabytes(size?.bytes), 1),
        packages: figure(size?.packages),
        'lines of declarations': figure(size?.declarationLines),
      };
    }),
  );
}

const megabytes = (bytes: number | undefined) => (bytes === undefined ? undefined : bytes / 1e6);
