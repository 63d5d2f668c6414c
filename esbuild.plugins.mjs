import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, dirname, parse, relative, resolve } from 'node:path'

const OUR_SOURCE = /[\\/](?:src|commands)[\\/].*\.ts$/

/**
 * How our own sources are bundled. A start pays for each file that it loads and for each line in it. Ratios of processor time without a
 * step to that with it, measured on whole commands:
 *
 * - `pastIndexes` (1.4 the first time, 1.2 with compiled code): an import through the `index.ts` of a folder becomes one of the file behind
 *   it, because esbuild gives an entry all files that an index leads to, used or not;
 * - `withLateImports` (1.7 for a search): a package, or a module of Node, that is slow to load is loaded at its first call;
 * - `cores` (1.4 to 1.6): what nearly all entries of a folder need is exported by each of them. esbuild puts what the same entries need
 *   into the same chunk, so the core is one file instead of dozens.
 */
export function ourSources({ cores = [] } = {}) {
  const entries = entriesOf(['src', 'commands'])
  return {
    name: 'our-sources',
    setup({ onLoad }) {
      onLoad({ filter: OUR_SOURCE }, async ({ path }) => {
        const source = withLateImports(pastIndexes(await readFile(path, 'utf8'), path))
        return { contents: entries.has(path) ? source + exportsOfCore(path, cores) : source, loader: 'ts' }
      })
    },
  }
}

const NAMED = /^(import|export)( type)? \{([^}]*)\} from '(\.[^']*)'$/gm

function pastIndexes(source, path) {
  return source.replace(NAMED, (_, verb, type = '', names, from) => {
    const statements = namesIn(names).map(({ isType, name, local }) => {
      const declared = behindIndex(fileAt(resolve(dirname(path), from)), name)
      return `${verb}${isType ? ' type' : type} { ${declared.name} as ${local} } from ${asModule(declared.file)}`
    })
    return statements.join(';')
  })
}

/** A path in an import: a text of JavaScript, where each backslash of Windows is escaped. */
function asModule(path) {
  return JSON.stringify(path)
}

/** Where an index has a name from, and what it is called there. An index that exports a whole file is kept. */
function behindIndex(file, wanted) {
  if (!file.endsWith('index.ts')) return { file, name: wanted }
  const found = exportsOfIndex(file).get(wanted)
  return found ? behindIndex(fileAt(found.from), found.name) : { file, name: wanted }
}

const indexes = new Map()

/** The names that an index has from other files: where each is from, and what it is called there. */
function exportsOfIndex(file) {
  if (!indexes.has(file)) {
    const names = new Map()
    for (const [, , , list, from] of readFileSync(file, 'utf8').matchAll(NAMED))
      for (const { name, local } of namesIn(list)) names.set(local, { name, from: resolve(dirname(file), from) })
    indexes.set(file, names)
  }
  return indexes.get(file)
}

/** `a, type b as c` */
function namesIn(list) {
  return [...list.matchAll(/(type )?([\w$]+)(?: as ([\w$]+))?/g)].map(([, type, name, local = name]) => ({
    isType: type !== undefined,
    name,
    local,
  }))
}

/** Every file that some source imports dynamically. */
function entriesOf(folders) {
  const entries = new Set()
  for (const path of folders.flatMap(sourcesIn))
    for (const [, to] of readFileSync(path, 'utf8').matchAll(/import\('(\.[^']+)'\)/g))
      entries.add(fileAt(resolve(dirname(path), to)))
  return entries
}

function fileAt(path) {
  return existsSync(`${path}.ts`) ? `${path}.ts` : resolve(path, 'index.ts')
}

function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => resolve(folder, name))
}

function exportsOfCore(path, cores) {
  const own = cores.filter(({ folders }) => folders.includes(relative('.', path).split(/[\\/]/)[0]))
  return own
    .flatMap(({ core }) => Object.entries(core))
    .map(([from, name]) => `\nexport { ${name} as core_${name} } from ${asModule(resolve(from))}`)
    .join('')
}

/** Loading `string-width` compiles patterns over all of Unicode. */
const LATE = /^import (\w+) from ('string-width')$/gm

/** Modules of Node that take a millisecond or more, with the streams that they load, and that many starts do not use. */
const LATE_BUILTINS =
  /^import \{([^}]*)\} from 'node:(child_process|crypto|dns|fs\/promises|os|stream|timers\/promises|zlib)'$/gm

function withLateImports(source) {
  return source
    .replace(
      LATE,
      (_, name, from) =>
        `let loaded_${name}\nconst ${name} = (...given) => (loaded_${name} ??= require(${from}).default)(...given)`,
    )
    .replace(LATE_BUILTINS, (_, names, from) =>
      namesIn(names)
        .map((named) => lateBuiltin(named, from))
        .join(';'),
    )
}

/** A function is loaded at its first call. Classes and constants are imported at once. */
function lateBuiltin({ isType, name, local }, from) {
  const isFunction = /^[a-z]/.test(name) && typeof process.getBuiltinModule(`node:${from}`)[name] === 'function'
  if (isType || !isFunction) return `import ${isType ? 'type ' : ''}{ ${name} as ${local} } from 'node:${from}'`
  const load = `process.getBuiltinModule('node:${from}').${name}`
  return `let loaded_${local};const ${local} = (...given) => (loaded_${local} ??= ${load})(...given)`
}

/**
 * Leads a dynamic import, by the name of its file, to the file that the build has made of it.
 * @param files paths in the folder of the build, as that of `outfile`.
 * @param unused names of files that are imported by code that never runs in `outfile`.
 */
export function beside(outfile, files, unused) {
  return {
    name: 'beside',
    setup({ onResolve }) {
      onResolve({ filter: /^\.{1,2}\// }, ({ path, kind }) => {
        if (kind !== 'dynamic-import') return
        const found = files.find((file) => parse(file).name === basename(path))
        if (found) return { path: `./${relative(dirname(outfile), found).replaceAll('\\', '/')}`, external: true }
        if (unused.includes(basename(path))) return { path, external: true }
      })
    },
  }
}

/** The service offers HTTP/1.1 alone, and Hono's adapter asks of each request whether it is one of HTTP/2, whose module takes 10 ms to load. */
export const withoutHttp2 = {
  name: 'without-http2',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:http2$/ }, ({ path }) => ({ path, namespace: 'without-http2' }))
    onLoad({ filter: /./, namespace: 'without-http2' }, () => ({
      contents: 'export class Http2ServerRequest {}\nexport const constants = {}',
    }))
  },
}
