import { describe, expect, test } from 'vitest';
import { RECIPES, type RecipeCall } from '../../../src/inspector/views/faults/recipes.js';
import type { SettingsInput } from '../../../src/sandbox/index.js';
import { expected, seen } from './support/recipe-effects.js';

/** A list of calls without one of them, or without one time of several. */
interface Lessened {
  readonly without: string;
  readonly calls: readonly RecipeCall[];
}

const lessened = (calls: readonly RecipeCall[] = []): Lessened[] =>
  calls.flatMap(([method, ...args], index) => {
    const withInstead = (...instead: RecipeCall[]) => calls.toSpliced(index, 1, ...instead);
    const { executionTimes } = (method === 'settings.update' ? args[0] : {}) as SettingsInput;
    const times = Object.entries(executionTimes ?? {});
    return [
      { without: `${method} ${JSON.stringify(args)}`, calls: withInstead() },
      ...times.map(([name]) => {
        const others = Object.fromEntries(times.filter(([one]) => one !== name));
        return { without: name, calls: withInstead([method, { executionTimes: others }]) };
      }),
    ];
  });

describe('each call of a recipe is needed', () => {
  test.each(RECIPES.flatMap(({ name, calls: all }) => lessened(all).map((less) => ({ name, ...less }))))(
    '$name does not show its effect without $without',
    async (recipe) => {
      expect(await seen(recipe)).not.toEqual(expected(recipe));
    },
  );

  test.each(
    RECIPES.flatMap(({ name, calls, back }) =>
      lessened(back).map((less) => ({ name, without: less.without, calls, back: less.calls })),
    ),
  )('$name is not taken back without $without', async ({ name, calls, back }) => {
    // What follows may be refused.
    const looks = await seen({ name, calls, back }).catch(() => undefined);
    expect(looks).not.toEqual(expected({ name, calls, back }));
  });
});
