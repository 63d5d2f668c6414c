import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'

const OUR_SOURCE = /[\\/](?:src|commands)[\\/].*\.ts$/

/**
 * Our own sources, as they are bundled. A start pays for each file that it loads and for each line in it, so:
 *
 * - what the build has worked out (`literals`, by name) takes the place of `declare const <name>`, in that file alone;
 * - an import through the `index.ts` of a folder is made one of the file behind it, for esbuild gives an entry all that an index leads to;
 * - Node's own modules are asked for, not imported: an import in a part that is not run is loaded all the same, and makes Node look at each
 *   of a module's exports, some of which load further modules;
 * - a package that takes long to make ready (`LATE`) is made ready at its first call;
 * - what the build has made a file of its own (`beside`, by name: where it stands) is asked for there, by `require` where that goes, for
 *   Node starts its loader of ES modules at the first import;
 * - what nearly all entries need (`cores`: a folder's entries, and what stands for their core) is asked for by each of them. esbuild
 *   puts what the same entries need into the same file, and so the core is one file instead of dozens.
 */
export function ourSources({ literals = {}, cores = [], beside = {} } = {}) {
  const entries = entriesOf(['src', 'commands'])
  return {
    name: 'our-sources',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^beside:/ }, ({ path }) => ({ path: path.slice('beside:'.length), external: true }))
      onLoad({ filter: OUR_SOURCE }, async ({ path }) => {
        const steps = [withoutImportsOfNode, withLateImports, (text) => besideOf(text, beside)]
        const written = pastIndexes(withLiterals(await readFile(path, 'utf8'), literals), path)
        const source = steps.reduce((text, step) => step(text), written)
        return { contents: entries.has(path) ? source + askForCore(path, cores) : source, loader: 'ts' }
      })
    },
  }
}

/** As text to be parsed, which costs less than as code. */
function withLiterals(source, literals) {
  return source.replace(/^declare const (STUDIO_\w+): .*$/gm, (line, name) =>
    name in literals ? `const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(literals[name]))})` : line,
  )
}

/** All files that are imported when they are needed. */
function entriesOf(folders) {
  const entries = new Set()
  for (const path of folders.flatMap(sourcesIn))
    for (const [, to] of readFileSync(path, 'utf8').matchAll(/import\('(\.[^']+)'\)/g))
      entries.add(fileAt(resolve(dirname(path), to)))
  return entries
}

function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => resolve(folder, name))
}

function askForCore(path, cores) {
  const own = cores.filter(({ folders }) => folders.includes(relative('.', path).split(/[\\/]/)[0]))
  return own
    .flatMap(({ core }) => Object.entries(core))
    .map(([from, name]) => `\nexport { ${name} as core_${name} } from '${resolve(from)}'`)
    .join('')
}

function besideOf(source, beside) {
  return source.replace(/(?:await )?import\('\.\/(?:\w+\/)?([\w-]+)'\)/g, (statement, name) => {
    if (!(name in beside)) return statement
    return beside[name].endsWith('.cjs') ? `require('beside:${beside[name]}')` : `import('beside:${beside[name]}')`
  })
}

/** By the function that they export: of `string-width`, patterns over all of Unicode and what takes texts apart into characters. */
const LATE = /^import (\w+) from ('string-width')$/gm

function withLateImports(source) {
  return source.replace(
    LATE,
    (_, name, from) =>
      `let ready_${name}\nconst ${name} = (...given) => (ready_${name} ??= require(${from}).default)(...given)`,
  )
}

const OF_NODE = /^import (\{[^}]*\}|\w+) from ('node:[^']+')$/gm

function withoutImportsOfNode(source) {
  return source.replace(OF_NODE, (_, names, from) => {
    const values = names.startsWith('{') ? `{ ${valuesIn(names).join(', ')} }` : names
    return `const ${values} = process.getBuiltinModule(${from})`
  })
}

function valuesIn(names) {
  return namesIn(names.slice(1, -1))
    .filter((name) => !name.startsWith('type '))
    .map((name) => name.replace(' as ', ': '))
}

const NAMED = /^(import|export) \{([^}]*)\} from '(\.[^']*)'$/gm
const STAR = /^export \* from '(\.[^']*)'$/gm

function pastIndexes(source, path) {
  return source.replace(NAMED, (statement, verb, names, from) => {
    const file = fileAt(resolve(dirname(path), from))
    if (!file.endsWith('index.ts')) return statement
    return namesIn(names)
      .map((name) => `${verb} { ${name} } from '${behind(file, name.replace(/^type | as .*$/g, ''))}'`)
      .join(';')
  })
}

/** The file that an index has a name from; the index itself where it is its own. */
function behind(index, name) {
  const source = readFileSync(index, 'utf8')
  const isDeclaredIn = (file) =>
    new RegExp(`^export (?:async )?(?:function\\*?|const|class) ${name}\\b`, 'm').test(readFileSync(file, 'utf8'))
  for (const [, , names, from] of source.matchAll(NAMED))
    if (namesIn(names).includes(name)) return fileOrBehind(resolve(dirname(index), from), name)
  for (const [, from] of source.matchAll(STAR)) {
    const file = fileAt(resolve(dirname(index), from))
    if (isDeclaredIn(file)) return file
  }
  return index
}

function fileOrBehind(path, name) {
  const file = fileAt(path)
  return file.endsWith('index.ts') ? behind(file, name) : file
}

function fileAt(path) {
  return existsSync(`${path}.ts`) ? `${path}.ts` : resolve(path, 'index.ts')
}

function namesIn(list) {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
}

/** The same for bundled packages, which say in many ways what they import. */
export const builtinsWhenNeeded = {
  name: 'builtins-when-needed',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: 'builtin' }))
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
    }))
  },
}
