// Installs <directory>/partner-sdk.tgz in empty projects and uses it there as its users would: in both module systems,
// under every supported compiler, on every supported runtime. Prints one line that begins with `ok` for each check; the
// first failure ends it.
import { join } from 'node:path';
import { checkBundles } from './consumers/bundles.mjs';
import { checkContainer } from './consumers/container.mjs';
import { checkDeclarations } from './consumers/declarations.mjs';
import { checkModules } from './consumers/modules.mjs';
import { checkOldNode } from './consumers/old-node.mjs';
import { checkOpentelemetry } from './consumers/opentelemetry.mjs';
import { createProject } from './consumers/project.mjs';
import { checkQuietImport } from './consumers/quiet-import.mjs';
import { checkFirstHour } from './consumers/recipes/first-hour.mjs';
import { checkFrameworks, checkUnhandled } from './consumers/recipes/frameworks.mjs';
import { checkSql } from './consumers/recipes/sql.mjs';
import { checkTestTools } from './consumers/recipes/test-tools.mjs';
import { checkTraces } from './consumers/recipes/traces.mjs';
import { checkRedis } from './consumers/redis.mjs';
import { checkResent } from './consumers/resent.mjs';
import { checkRuntimes } from './consumers/runtimes.mjs';
import { checkSandbox } from './consumers/sandbox.mjs';
import { checkSourceMaps } from './consumers/source-maps.mjs';
import { checkTypes } from './consumers/types.mjs';
import { checkWorkers } from './consumers/workers.mjs';

const directory = process.argv[2];
if (directory === undefined) throw new Error('usage: tsx .ci/consumers.mjs <directory>');
const tarball = join(directory, 'partner-sdk.tgz');

const project = createProject(join(directory, 'empty-project'), [tarball]);
const projectWithNodeTypes = createProject(join(directory, 'project-with-node-types'), [tarball, '@types/node@20']);

checkModules(project);
checkDeclarations(project);
checkSourceMaps({ project });
checkOldNode({ project, directory: join(directory, 'old-node') });
await checkContainer({ project });
checkRedis({ tarball, directory: join(directory, 'redis') });
checkOpentelemetry({ tarball, directory: join(directory, 'opentelemetry') });
checkTraces({ tarball, directory: join(directory, 'traces') });
checkTypes({ project, projectWithNodeTypes, compilers: join(directory, 'compilers') });
const nodes = await checkRuntimes({ project, runtimes: join(directory, 'runtimes') });
checkQuietImport({ project, nodes });
await checkBundles({ tarball, directory: join(directory, 'bundlers') });
const workerd = await checkWorkers({ project, directory: join(directory, 'workers') });
await checkResent({ project, runtimes: join(directory, 'runtimes'), workerd });
await checkFirstHour({ tarball, directory: join(directory, 'first-hour') });
checkTestTools({ tarball, directory: join(directory, 'test-tools') });
checkSandbox({ project, tarball, directory: join(directory, 'partner'), nodes });
await checkSql({ tarball, directory: join(directory, 'sql'), nodes });
await checkFrameworks({ tarball, directory: join(directory, 'frameworks'), service: project, workerd });
checkUnhandled({ tarball, directory: join(directory, 'unhandled') });
