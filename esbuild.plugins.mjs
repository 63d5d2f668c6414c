import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'

const OUR_SOURCE = /[\\/](?:src|commands)[\\/].*\.ts$/

/**
 * How our own sources are bundled. A start pays for each file that it loads and for each line in it. Each step below was measured on
 * whole commands and saves 5 to 20 % of their processor time:
 *
 * - `literals`: what the build has derived takes the place of `declare const <NAME>`, as JSON text, which parses faster than code;
 * - `pastIndexes`: an import through the `index.ts` of a folder becomes one of the file behind it, because esbuild gives an entry all files
 *   that an index leads to, used or not. Without this the core has twice the size, with parsers and patterns that few commands need;
 * - `withLateImports`: a package that is slow to load is loaded at its first call;
 * - `beside`: an import of what the build has made a file of its own, by name, leads to that file; with `require` where that works, because
 *   Node starts its loader of ES modules at the first `import`;
 * - `cores`: what nearly all entries of a folder need is exported by each of them. esbuild puts what the same entries need into the same
 *   chunk, so the core is one file instead of dozens.
 */
export function ourSources({ literals = {}, cores = [], beside = {} } = {}) {
  const entries = entriesOf(['src', 'commands'])
  return {
    name: 'our-sources',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^beside:/ }, ({ path }) => ({ path: path.slice('beside:'.length), external: true }))
      onLoad({ filter: OUR_SOURCE }, async ({ path }) => {
        const written = pastIndexes(withLiterals(await readFile(path, 'utf8'), literals), path)
        const source = besideOf(withLateImports(written), beside)
        return { contents: entries.has(path) ? source + exportsOfCore(path, cores) : source, loader: 'ts' }
      })
    },
  }
}

function withLiterals(source, literals) {
  return source.replace(/^declare const (STUDIO_\w+): .*$/gm, (line, name) =>
    name in literals ? `const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(literals[name]))})` : line,
  )
}

const NAMED = /^(import|export)( type)? \{([^}]*)\} from '(\.[^']*)'$/gm

function pastIndexes(source, path) {
  return source.replace(NAMED, (_, verb, type = '', names, from) => {
    const statements = namesIn(names).map(({ isType, name, local }) => {
      const declared = behindIndex(fileAt(resolve(dirname(path), from)), name)
      return `${verb}${isType ? ' type' : type} { ${declared.name} as ${local} } from '${declared.file}'`
    })
    return statements.join(';')
  })
}

/** Where an index has a name from, and what it is called there. An index that exports a whole file is kept. */
function behindIndex(file, wanted) {
  if (!file.endsWith('index.ts')) return { file, name: wanted }
  for (const [, , , names, from] of readFileSync(file, 'utf8').matchAll(NAMED)) {
    const found = namesIn(names).find(({ local }) => local === wanted)
    if (found) return behindIndex(fileAt(resolve(dirname(file), from)), found.name)
  }
  return { file, name: wanted }
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
    .map(([from, name]) => `\nexport { ${name} as core_${name} } from '${resolve(from)}'`)
    .join('')
}

function besideOf(source, beside) {
  return source.replace(/(?:await )?import\('\.{1,2}\/(?:\w+\/)?([\w-]+)'\)/g, (statement, name) => {
    if (!(name in beside)) return statement
    return `require('beside:${beside[name]}')`
  })
}

/** Loading `string-width` compiles patterns over all of Unicode. */
const LATE = /^import (\w+) from ('string-width')$/gm

function withLateImports(source) {
  return source.replace(
    LATE,
    (_, name, from) =>
      `let loaded_${name}\nconst ${name} = (...given) => (loaded_${name} ??= require(${from}).default)(...given)`,
  )
}

/**
 * Node's own modules, through `process.getBuiltinModule`: a static import makes Node read every export of the module, and some of those
 * load further modules. Each export is a pure expression of its own, so that the bundler drops what is not used.
 */
export const builtins = {
  name: 'builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, kind }) => ({
      path,
      namespace: kind === 'require-call' ? 'builtin-required' : 'builtin',
      sideEffects: false,
    }))
    onLoad({ filter: /.*/, namespace: 'builtin-required' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
    }))
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({ contents: builtinModule(path) }))
  },
}

function builtinModule(path) {
  const names = Object.keys(process.getBuiltinModule(path)).filter(
    (name) => /^[A-Za-z]\w*$/.test(name) && name !== 'default',
  )
  return [
    `const builtin = /* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(path)})`,
    'export default builtin',
    ...names.map(
      (name) => `const $${name} = /* @__PURE__ */ (() => builtin.${name})()\nexport { $${name} as ${name} }`,
    ),
  ].join('\n')
}
