import { expect, test } from 'vitest';
import { Routes } from '../../../src/sandbox/cli/call/routes.js';
import { FILTERS } from '../../../src/sandbox/serve/control/control-filters.js';
import { METHODS, READABLE } from '../../../src/sandbox/serve/control/control-routes.js';
import { readDocument } from '../../../src/sandbox/serve/control/documents.js';

const routes = new Routes(JSON.parse(readDocument('control.openapi.json')));

/** The route of a path by the tables of the sandbox. */
const routeOf = (path: string) => ({
  path,
  args: METHODS.get(path)?.args ?? (FILTERS.has(path) ? ['filter'] : []),
  needed: METHODS.get(path)?.needed ?? 0,
});

test.each([...new Set([...METHODS.keys(), ...READABLE.keys()])])('ctl finds %s in the document', (path) => {
  expect(routes.find(path)).toEqual(routeOf(path));
});

test('ctl lists these names alone', () => {
  const known = Array.from(new Set([...METHODS.keys(), ...READABLE.keys()]), (path) => path.replaceAll('/', '.'));
  expect(routes.names().sort()).toEqual(known.sort());
});

test('streams, documents and what no document names are no members', () => {
  for (const path of ['events', 'openapi.json', 'inbox/{id}', 'no/such', '', '__proto__']) {
    expect(routes.find(path)).toBeUndefined();
  }
  expect(new Routes(undefined).names()).toEqual([]);
});
