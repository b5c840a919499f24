import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, createProject } from '../project.mjs';
import { filesIn } from './test-tools.mjs';

/** The packages that each recipe of docs/operate/observability.md installs, by the file that it preloads. */
const RECIPES = {
  'tracing.mjs': /^npm install partner-sdk (@opentelemetry\/api @opentelemetry\/sdk-node[\s\S]*?)\nnode/m,
  'instrument.mjs': /^npm install partner-sdk (@opentelemetry\/api @sentry[\s\S]*?)\nnode/m,
};

/** Runs each recipe against the sandbox and looks at its spans, metrics and headers: as it is, and with less. */
export function checkTraces({ tarball, directory }) {
  for (const [preload, packages] of Object.entries(RECIPES)) {
    const text = readFileSync('docs/operate/observability.md', 'utf8');
    const names = packages.exec(text)[1].split(/[\s\\]+/);
    const project = createProject(join(directory, preload.replace('.mjs', '')), [tarball, ...names]);
    const packed = readFileSync(join(project, 'node_modules/partner-sdk/docs/operate/observability.md'), 'utf8');
    const files = new Map(filesIn(packed));
    for (const [file, code] of files) writeFileSync(join(project, file), code);
    // Without the line that keeps the instrumentation away from the service, and without our hooks.
    const bare = less(files.get(preload), /\{ ignoreRequestHook \}|\n {2}integrations: .*/);
    writeFileSync(join(project, `bare-${preload}`), bare);
    writeFileSync(join(project, 'plain-main.mjs'), less(files.get('main.mjs'), /\{ hooks: .* \}/));
    for (const args of [[preload], [`bare-${preload}`], [`bare-${preload}`, 'plain-main.mjs']]) {
      check(`docs/operate/observability.md: ${args.join(' ')}`, process.execPath, ['traces.mjs', ...args], {
        cwd: project,
      });
    }
  }
}

function less(code, part) {
  const rest = code.replace(part, '');
  if (rest === code) throw new Error(`a recipe has no ${part}`);
  return rest;
}
