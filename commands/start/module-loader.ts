import { dirname, join } from 'node:path'
import type { Script } from 'node:vm'

export interface LoadedModule {
  exports: object
  filename: string
  loaded: boolean
  require(id: string): unknown
}

/** What Node's `node:module` has and its types lack. */
export interface ModuleInternals {
  new (id: string, parent: LoadedModule | null): LoadedModule
  _extensions: Record<string, (module: LoadedModule, file: string) => void>
  _cache: Record<string, LoadedModule>
  enableCompileCache?(folder: string): unknown
}

/** What surrounds the code of a module, as in Node. */
export function wrapModule(source: string): string {
  return `(function (exports, require, module, __filename, __dirname) {${source}\n})`
}

/** Makes modules of the program's files by a function that compiles what `wrapModule` returns. The last call of this function decides. */
export function loadModulesWith(compile: (file: string) => Script): void {
  const internals = moduleInternals()
  internals._extensions['.cjs'] = (module, file) => {
    const script = compile(file)
    const folder = dirname(file)
    const require = (id: string) => (id.startsWith('.') ? loadModule(join(folder, id), module) : module.require(id))
    script.runInThisContext().call(module.exports, module.exports, require, module, file, folder)
  }
}

/** Files of the program name each other in full. Node would take half a millisecond to find each and to tell what kind it is of. */
export function loadModule(file: string, parent: LoadedModule | null): object {
  const Module = moduleInternals()
  const { _cache, _extensions } = Module
  const known = _cache[file]
  if (known) return known.exports
  const module = new Module(file, parent)
  module.filename = file
  _cache[file] = module
  try {
    _extensions['.cjs']!(module, file)
  } catch (error) {
    delete _cache[file]
    // Node's error says that the program is incomplete.
    if (isMissing(error, file)) parent?.require(file)
    throw error
  }
  module.loaded = true
  return module.exports
}

export function moduleInternals(): ModuleInternals {
  return process.getBuiltinModule('node:module') as unknown as ModuleInternals
}

function isMissing(error: unknown, file: string): boolean {
  const { code, path } = error as NodeJS.ErrnoException
  return code === 'ENOENT' && path === file
}
