// `node quiet-import.cjs import|require NAME`: loads an entry of the package, and prints as JSON what that touched
// outside itself: files, processes, standard streams, the environment, timers, the network, handles left open. Node's
// own loader reads the modules: those reads do not count.
const { writeSync } = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

const [form, name] = process.argv.slice(2);
const { setImmediate: later } = globalThis;
const end = process.reallyExit.bind(process);
const touched = new Set();

const MODULES = {
  file: ['fs', 'fs/promises'],
  process: ['child_process', 'cluster', 'worker_threads'],
  network: ['dgram', 'dns', 'dns/promises', 'http', 'http2', 'https', 'inspector', 'net', 'tls'],
  timer: ['timers', 'timers/promises'],
};
const OF_GLOBAL = {
  timer: ['setTimeout', 'setInterval', 'setImmediate'],
  network: ['fetch'],
};
const OF_PROCESS = {
  process: ['abort', 'chdir', 'cwd', 'dlopen', 'emit', 'emitWarning', 'exit', 'kill', 'reallyExit', 'umask'],
  listener: ['addListener', 'on', 'once', 'prependListener', 'prependOnceListener'],
  timer: ['nextTick'],
};
const STREAMS = ['stdin', 'stdout', 'stderr'];

for (const [kind, modules] of Object.entries(MODULES)) {
  for (const module of modules) watch(kind, module, require(`node:${module}`));
}
const { Socket, Server } = require('node:net');
watch('network', 'net.Socket.prototype', Socket.prototype, ['connect']);
watch('network', 'net.Server.prototype', Server.prototype, ['listen']);
for (const [kind, names] of Object.entries(OF_GLOBAL)) watch(kind, 'globalThis', globalThis, names);
for (const [kind, names] of Object.entries(OF_PROCESS)) watch(kind, 'process', process, names);
watch('stream', 'console', console);
for (const stream of STREAMS) {
  const { get } = Object.getOwnPropertyDescriptor(process, stream);
  replace(process, stream, { get: watched('stream', `process.${stream}`, get) });
}
replace(process, 'env', { value: watchedEnvironment(process.env) });
syncBuiltinESMExports();

main();

async function main() {
  // What Node itself keeps open for its own first import is there before.
  await import('node:fs');
  await turns();
  const before = state();
  if (form === 'import') await import(name);
  else require(name);
  await turns();
  const after = state();
  for (const key of Object.keys(after)) {
    const lasting = left(after[key], before[key]);
    for (const one of lasting) touched.add(`${key}: ${one}`);
  }
  writeSync(1, JSON.stringify([...touched]));
  // What was left open would keep this program for ever.
  end(0);
}

/** What may not be other after the import. */
function state() {
  return {
    handle: process.getActiveResourcesInfo(),
    listener: process.eventNames().flatMap((event) => process.listeners(event).map(() => String(event))),
    global: Reflect.ownKeys(globalThis).map(String),
    exitCode: [String(process.exitCode)],
  };
}

/** The members of `after` that `before` does not have, or not so often. */
function left(after, before) {
  const rest = [...before];
  return after.filter((one) => {
    const place = rest.indexOf(one);
    if (place >= 0) rest.splice(place, 1);
    return place < 0;
  });
}

/** Long enough for what an import has put off. */
async function turns() {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => later(resolve));
}

/** Replaces functions of an object; without names, all that are no classes. */
function watch(kind, owner, object, names = Object.keys(object)) {
  for (const key of names) {
    const descriptor = Object.getOwnPropertyDescriptor(object, key);
    const original = object[key];
    if (typeof original !== 'function' || descriptor?.configurable === false) continue;
    replace(object, key, { value: watched(kind, `${owner}.${key}`, original) });
  }
}

function replace(object, key, attributes) {
  const accessor = 'get' in attributes ? {} : { writable: true };
  Object.defineProperty(object, key, { configurable: true, enumerable: true, ...accessor, ...attributes });
}

/** The same function, class or not, which tells each use. */
function watched(kind, what, original) {
  const tell = () => isOfLoader() || touched.add(`${kind}: ${what}`);
  return new Proxy(original, {
    apply(target, self, args) {
      tell();
      return Reflect.apply(target, self, args);
    },
    construct(target, args, newTarget) {
      tell();
      return Reflect.construct(target, args, newTarget);
    },
  });
}

function watchedEnvironment(env) {
  const tell = (key) => isOfLoader() || touched.add(`environment: ${String(key)}`);
  const telling = (trap) => (target, key, value) => {
    tell(key ?? 'its names');
    return trap(target, key, value);
  };
  return new Proxy(env, {
    get: telling((target, key) => target[key]),
    has: telling((target, key) => key in target),
    set: telling((target, key, value) => Reflect.set(target, key, value)),
    ownKeys: telling((target) => Reflect.ownKeys(target)),
  });
}

/** Whether Node does this for itself: it comes from its loader, or from no code of a file. */
function isOfLoader() {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
  Error.prepareStackTrace = (_, sites) => sites.map((site) => String(site.getFileName() ?? site.getEvalOrigin()));
  const files = new Error().stack.filter((file) => file !== __filename);
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  const ofPackage = files.findIndex((file) => !file.startsWith('node:'));
  return ofPackage < 0 || files.slice(0, ofPackage).some((file) => file.startsWith('node:internal/modules/'));
}
