interface NodeModules {
  'node:async_hooks': typeof import('node:async_hooks');
  'node:diagnostics_channel': typeof import('node:diagnostics_channel');
  'node:timers': typeof import('node:timers');
  'node:util': typeof import('node:util');
  'node:zlib': typeof import('node:zlib');
}

/**
 * Returns a module of Node, or undefined where the runtime has none. Bundlers for other runtimes
 * refuse an import of it.
 */
export function builtinModule<Name extends keyof NodeModules>(name: Name): NodeModules[Name] | undefined {
  try {
    const hasModules = typeof process !== 'undefined' && typeof process.getBuiltinModule === 'function';
    return hasModules ? (process.getBuiltinModule(name) as NodeModules[Name] | undefined) : undefined;
  } catch {
    // The edge runtime of Next.js has the function, and it throws.
    return undefined;
  }
}
