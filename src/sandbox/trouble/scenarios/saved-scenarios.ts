import * as z from 'zod/mini';
import { IN_OUR_WORDS, issuesOf } from '../../../schema/validate/validate.js';
import { isRecord } from '../../../util/options.js';
import { milliseconds } from '../../core/records/saved-values.js';
import type { ScenarioName, ScenarioOptions, Undo } from './scenario.js';
import { SCENARIO_NAMES, SCENARIOS } from './table.js';

/** A running scenario as plain JSON data. */
export interface SavedScenario {
  readonly name: ScenarioName;
  readonly given: ScenarioOptions;
  readonly since: number;
  readonly until?: number | undefined;
  readonly undo: Undo;
}

const savedScenario = z
  .object({
    name: z.enum(SCENARIO_NAMES),
    given: z.custom<ScenarioOptions>(isRecord, 'must be an object'),
    since: milliseconds,
    until: z.optional(milliseconds),
    undo: z.custom<Undo>(isRecord, 'must be an object'),
  })
  .check(
    z.superRefine(({ name, undo }, context) => {
      const { error } = z.safeParse(SCENARIOS[name].saved, undo, IN_OUR_WORDS);
      for (const { path, message } of error?.issues ?? []) {
        context.addIssue({ code: 'custom', path: ['undo', ...path], message });
      }
    }),
  );

const savedScenarios = z.array(savedScenario);

/**
 * Reads saved scenarios.
 *
 * @param method Start of an error's message.
 * @throws TypeError that names the first wrong member.
 */
export function readScenarios(method: string, saved: unknown): readonly SavedScenario[] {
  const { data, error } = savedScenarios.safeParse(saved, IN_OUR_WORDS);
  if (data !== undefined) return data;
  const [issue] = issuesOf(error);
  throw new TypeError(`${method}: scenarios: ${issue?.path ? `${issue.path} ` : ''}${issue?.message}`);
}
