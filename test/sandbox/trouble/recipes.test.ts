import { describe, expect, test } from 'vitest';
import { RECIPES } from '../../../src/inspector/views/faults/recipes.js';
import { EFFECTS, expected, seen } from './support/recipe-effects.js';

describe('a recipe', () => {
  test('has an effect that is known here', () => {
    expect(Object.keys(EFFECTS)).toEqual(RECIPES.map(({ name }) => name));
  });

  test.each(RECIPES)('$name shows its effect to a partner, and none once it is taken back', async (recipe) => {
    expect(await seen(recipe)).toEqual(expected(recipe));
  });
});
