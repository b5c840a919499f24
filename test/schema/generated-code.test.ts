import { expect, it } from 'vitest';
import { OPERATIONS, withMember } from '../resources/support/operations.js';
import { program, run } from '../support/processes/program.js';

const samples = OPERATIONS.flatMap(({ name, answer }) =>
  /^(users\.get|accounts\.quotes\.get|accounts\.onDemandConversions\.list|reports\.settlement\.get)$/.test(name)
    ? [[name, JSON.parse(JSON.stringify(answer))] as const]
    : [],
);
const right = Object.fromEntries(samples);
/** Each with a member of another type. */
const wrong = Object.fromEntries(
  samples.map(([name, body]) => [name, withMember(body, Array.isArray(body.data) ? 'data.0.id' : 'data.id', 7)]),
);

async function readings(answers: object, ...node: string[]) {
  const { stdout } = await run(program('test/schema/support/readings.ts'), [JSON.stringify(answers)], { node });
  return JSON.parse(stdout) as { readonly mayGenerateCode: boolean; readonly read: unknown };
}

it.each([
  ['right', right],
  ['of another type', wrong],
])('where a process forbids generated code, responses that are %s are read in the same way', async (_what, answers) => {
  const compiled = await readings(answers);
  const interpreted = await readings(answers, '--disallow-code-generation-from-strings');
  expect([compiled.mayGenerateCode, interpreted.mayGenerateCode]).toEqual([true, false]);
  expect(Object.keys(answers)).toHaveLength(4);
  expect(interpreted.read).toEqual(compiled.read);
});
