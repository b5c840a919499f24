/**
 * The layers of `src`, highest first. A file imports from its own layer or from a lower one, types
 * included. Folders on one line do not know each other.
 */
const LAYERS = [
  ['index', 'edge'],
  ['exports'],
  ['client'],
  ['resources'],
  ['call'],
  ['options'],
  ['client-options'],
  ['lane', 'response'],
  ['observer'],
  ['events'],
  ['stats'],
  ['logger', 'transport', 'signing'],
  ['request'],
  ['schema'],
  ['redaction'],
  ['errors'],
  ['api-errors'],
  ['issues'],
  ['partner-error'],
  ['util', 'version'],
  // A file `x.edge.ts` takes the place of `x.ts` in the build for workers.
  ['runtime'],
];

/** The layers of `src/sandbox`, highest first, by the same rule. The files beside these folders stand below `cli`. */
const LAYERS_OF_SANDBOX = ['cli', 'serve', 'drive', 'service', 'trouble', 'webhooks', 'kinds', 'core'];

/** The layers of `src/command`, highest first, by the same rule. */
const LAYERS_OF_COMMAND = [['main'], ['call', 'doctor'], ['description'], ['environment'], ['flags']];

/** The layers of the page, highest first, by the same rule. */
const LAYERS_OF_PAGE = [['main'], ['app'], ['top', 'views'], ['parts'], ['wire']];

/** The layers of `tools`, highest first, by the same rule. All of them may read `src`. */
const LAYERS_OF_TOOLS = [
  ['build', 'site', 'tables', 'pictures', 'page-picture', 'release-notes'],
  ['openapi'],
  ['examples', 'schemas', 'chromium', 'markdown'],
];

/** The other entries of the package, and what each may know of the layers. No layer knows an entry. */
const ENTRIES = {
  webhooks: ['resources', 'schema', 'errors', 'partner-error', 'util', 'version', 'runtime'],
  redis: ['signing', 'redaction', 'errors', 'partner-error', 'util', 'version', 'runtime'],
  opentelemetry: ['webhooks', 'resources', 'events', 'stats', 'errors', 'partner-error', 'util', 'version', 'runtime'],
  // It reads the API a second time, on its own: that is a check of the client's reading.
  sandbox: ['transport', 'resources', 'schema', 'redaction', 'errors', 'partner-error', 'util', 'version', 'runtime'],
  // The command `partner-sdk`: deliveries are verified as in the sandbox, credentials as in the client.
  command: ['sandbox', 'signing', 'util', 'version', 'runtime'],
  // The page at /_sandbox/: it runs in a browser, and knows the sandbox by its wire.
  inspector: ['sandbox', 'util'],
};

/** Files of other entries that make a client. */
const WITH_THE_CLIENT = '^src/(sandbox/test-client|command/(call/(call|failure)|doctor/service))\\.ts$';

const inside = (names, root = 'src') => `^${root}/(${names.join('|')})(/|\\.ts$)`;
const allLayers = LAYERS.flat();

/** Each layer imports from itself and from lower ones. */
const downward = (root, layers) =>
  layers.flatMap((layer, floor) =>
    layer.map((name) => ({
      name: `${root}-${name}-imports-only-lower-layers`,
      severity: 'error',
      from: { path: inside([name], root) },
      to: { path: `^${root}/`, pathNot: inside([name, ...layers.slice(floor + 1).flat()], root) },
    })),
  );

/** The rules of the sandbox: a folder imports from itself and from lower ones, the files beside them all but `cli`. */
const downwardInSandbox = [
  {
    name: 'sandbox-imports-nothing-of-its-command',
    severity: 'error',
    from: { path: '^src/sandbox/', pathNot: '^src/sandbox/cli/' },
    to: { path: '^src/sandbox/cli/' },
  },
  ...LAYERS_OF_SANDBOX.slice(1).map((layer, floor) => ({
    name: `sandbox-${layer}-imports-only-lower-layers`,
    severity: 'error',
    from: { path: inside([layer], 'src/sandbox') },
    to: { path: '^src/sandbox/', pathNot: inside(LAYERS_OF_SANDBOX.slice(floor + 1), 'src/sandbox') },
  })),
  {
    name: 'every-folder-of-the-sandbox-has-its-layer',
    severity: 'error',
    from: { path: '^src/sandbox/.*/', pathNot: inside(LAYERS_OF_SANDBOX, 'src/sandbox') },
    to: {},
  },
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-circle',
      comment: 'Files that import one another, even types alone, can only be understood together.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    ...downward('src', LAYERS),
    ...downward('src/command', LAYERS_OF_COMMAND),
    ...downward('src/inspector', LAYERS_OF_PAGE),
    ...downward('tools', LAYERS_OF_TOOLS),
    {
      name: 'a-view-of-the-page-knows-no-other',
      comment: 'What two views need is a part.',
      severity: 'error',
      from: { path: '^src/inspector/views/([a-z]+)' },
      to: { path: '^src/inspector/views/', pathNot: '^src/inspector/views/$1' },
    },
    {
      name: 'no-circle-of-folders-in-the-page',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/inspector' },
      to: { circular: true },
    },
    ...downwardInSandbox,
    ...Object.entries(ENTRIES).map(([entry, known]) => ({
      name: `${entry}-knows-only-its-layers`,
      severity: 'error',
      from: { path: inside([entry]), pathNot: WITH_THE_CLIENT },
      to: { path: '^src/', pathNot: inside([entry, ...known]) },
    })),
    {
      name: 'client-by-the-name-of-the-package',
      comment: 'These files get it as an application does: the build leaves it out of their entry.',
      severity: 'error',
      from: { path: WITH_THE_CLIENT },
      to: { path: '^src/', pathNot: '^src/(index\\.ts$|sandbox/|command/|util/)' },
    },
    {
      name: 'every-folder-has-its-layer',
      comment: 'A new folder of src is put into LAYERS or ENTRIES.',
      severity: 'error',
      from: { path: '^src/', pathNot: inside([...allLayers, ...Object.keys(ENTRIES)]) },
      to: {},
    },
    {
      name: 'every-folder-of-tools-has-its-layer',
      comment: 'A new folder of tools is put into LAYERS_OF_TOOLS.',
      severity: 'error',
      from: { path: '^tools/', pathNot: inside(LAYERS_OF_TOOLS.flat(), 'tools') },
      to: {},
    },
    {
      name: 'src-knows-itself-alone',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['local'], pathNot: '^(src/|package\\.json$)' },
    },
    {
      name: 'tools-know-src-alone',
      comment: 'What is shipped is not made by code of tests and checks.',
      severity: 'error',
      from: { path: '^tools/' },
      to: { dependencyTypes: ['local'], pathNot: '^(tools|src)/' },
    },
    {
      name: 'tools-use-declared-packages-alone',
      severity: 'error',
      // Postman has what this one loads.
      from: { path: '^tools/', pathNot: '^tools/openapi/postman/sign\\.js$' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown'] },
    },
    {
      name: 'only-the-declared-dependencies',
      comment: 'What the package needs at run time, and Node itself.',
      severity: 'error',
      from: { path: '^src/' },
      to: {
        // Bundled into the sandbox and the page.
        pathNot: '^node_modules/(@scure/base|@noble/hashes|preact|@preact/signals|@preact/signals-core)/',
        dependencyTypesNot: [
          'core',
          'local',
          'npm',
          'npm-peer',
          'type-only',
          'aliased',
          'aliased-tsconfig',
          'aliased-tsconfig-paths',
        ],
      },
    },
    {
      name: 'opentelemetry-in-its-entry-alone',
      comment: 'Most applications do not install it.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/opentelemetry/' },
      to: { path: '(^|/)@opentelemetry/' },
    },
    {
      name: 'page-knows-types-alone',
      comment: 'What the page shares with the sandbox is the form of its data.',
      severity: 'error',
      from: { path: '^src/inspector/' },
      to: { path: '^src/sandbox/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'page-names-the-types-of-the-sandbox-in-one-file',
      severity: 'error',
      from: { path: '^src/inspector/', pathNot: '^src/inspector/wire/sandbox\\.ts$' },
      to: { path: '^src/sandbox/' },
    },
    {
      name: 'bundled-packages-in-their-files-alone',
      comment: 'Checksums of addresses, and hashes in workers, come from packages that are bundled.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(sandbox/kinds/shared/addresses/|runtime/noble-hashes\\.ts$)' },
      to: { path: '(^|/)(@scure|@noble)/' },
    },
    {
      name: 'zod-is-zod-mini',
      comment: "A bundle keeps all of zod's classic schemas, 450 kB with their languages. Import 'zod/mini'.",
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '(^|/)zod/', pathNot: '(^|/)zod/(v4/)?mini/' },
    },
    {
      name: 'zod-by-its-parts',
      comment: 'What an application loads has the parts that src/schema/zod.ts lists.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(schema/zod(\\.node)?\\.ts$|sandbox/)' },
      to: { path: '(^|/)zod/' },
    },
    {
      name: 'no-orphan',
      comment: 'Nothing imports it: it is dead.',
      severity: 'error',
      // The tables of the documents are made from the first, Postman runs the second, and a browser the third. The build
      // for workers takes the others.
      from: {
        path: '^(src|tools)/',
        pathNot:
          '^src/sandbox/own-choices.ts$|^tools/openapi/postman/answers.js$|^tools/pictures/in-page.js$|\\.(edge|bundle)\\.ts$',
        orphan: true,
      },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
