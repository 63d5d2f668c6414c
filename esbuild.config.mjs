import { createHash, randomUUID } from 'node:crypto'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { build, transform } from 'esbuild'
import { billOf, bundledPackages, noticesOf } from './esbuild.packages.mjs'
import { beside, ourSources, withoutHttp2 } from './esbuild.plugins.mjs'

const { version } = JSON.parse(await readFile('package.json', 'utf8'))

const common = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: ['pg-native'], // an option of pg that is never taken
  loader: { '.bash': 'text', '.zsh': 'text', '.fish': 'text', '.ps1': 'text' },
  logLevel: 'warning',
}

/**
 * A file of the program, which esbuild can only split as ES modules. Node takes less time to load CommonJS, and keeps what it has
 * compiled of it.
 */
async function toCommonJs(text) {
  const usesUrl = text.includes('import.meta.url')
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target: common.target,
    minifySyntax: true,
    minifyWhitespace: true,
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': '__url', 'import.meta.dirname': '__dirname' },
    banner: usesUrl ? "const __url=require('node:url').pathToFileURL(__filename).href;" : '',
  })
  return code
}

/** What modules of ours export, for what is worked out at build. */
async function load(...modules) {
  const outfile = `dist/${randomUUID()}.mjs`
  const define = { STUDIO_VERSION: JSON.stringify(version) }
  const contents = modules.map((module) => `export * from './${module}'`).join('\n')
  await build({ ...common, stdin: { contents, resolveDir: '.' }, outfile, packages: 'external', define })
  const loaded = await import(pathToFileURL(outfile).href)
  await rm(outfile)
  return loaded
}

await rm('dist', { recursive: true, force: true })
// The sources import these rules, so they come first.
if (process.argv.includes('--secret-rules')) {
  const { deriveSecretRules } = await load('src/sanitize/gitleaks/derive-rules.ts')
  const rules = deriveSecretRules(await readFile('src/sanitize/gitleaks/gitleaks.toml', 'utf8'))
  await writeFile('src/sanitize/rules/redact/tokens/secret-rules.json', `${JSON.stringify(rules, null, 2)}\n`)
}
const derived = await load(
  'commands/start/derive-manifest.ts',
  'commands/completion/derive-spec.ts',
  'src/http/route-table.ts',
  'src/http/discovery/prepared-documents.ts',
  'src/mcp/actions.ts',
  'src/studio.ts',
)
// The list of commands, so that a start need not load the catalog.
const manifest = await derived.deriveManifest()
const routes = await derived.deriveRouteTable()
const completions = await derived.deriveCommands()
const schemaSteps = derived.migrations.length
const documents = await derived.prepareDocuments(version)
const agentActions = await derived.loadActions()
/** As JSON text, which parses faster than code. */
const asJson = (value) => JSON.stringify(JSON.stringify(value))
const define = {
  STUDIO_VERSION: JSON.stringify(version),
  STUDIO_SCHEMA_STEPS: String(schemaSteps),
  STUDIO_MANIFEST: asJson(manifest),
  STUDIO_ROUTES: asJson(routes),
  STUDIO_AGENT_ACTIONS: asJson(agentActions),
  STUDIO_COMMANDS: asJson(completions),
  STUDIO_DEVELOPMENT: String(process.argv.includes('--development')),
}
const { metafile, outputFiles } = await build({
  ...common,
  entryPoints: {
    'command-line': 'commands/start/command-line.ts',
    terminal: 'commands/terminal/terminal.ts',
    'load-snapshot': 'commands/start/load-snapshot.ts',
    index: 'src/library/index.ts',
  },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  chunkNames: 'chunks/[name]-[hash]',
  write: false,
  splitting: true,
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none', // all of them are in THIRD-PARTY-LICENSES.txt
  metafile: true,
  define,
  plugins: [
    withoutHttp2,
    ourSources({
      cores: [
        {
          folders: ['src', 'commands'],
          core: { 'src/library/index.ts': 'openStudio', 'src/storage/embedded/engine/open-file.ts': 'openFile' },
        },
        { folders: ['commands'], core: { 'commands/operation/run-operation.ts': 'runOperation' } },
      ],
    }),
  ],
})
await mkdir('dist/chunks')
const hash = createHash('sha256')
const codes = await Promise.all(outputFiles.map(({ text }) => toCommonJs(text)))
for (const [index, { path }] of outputFiles.entries()) {
  hash.update(codes[index])
  await writeFile(path, codes[index])
}
/**
 * What a start runs first is in files of their own, for it pays for each that it loads, and in CommonJS: most short commands end before
 * anything asks for Node's loader of ES modules. What opens the database is beside the file of sql.js.
 */
const alone = {
  'quick-search.cjs': 'commands/start/quick-search.ts',
  'quick-help.cjs': 'commands/start/quick-help.ts',
  'quick-completion.cjs': 'commands/completion/quick-completion.ts',
  'chunks/indexing-thread.cjs': 'src/search/file-index/indexing-thread.ts',
  'chunks/compaction-thread.cjs': 'src/storage/embedded/base/compaction-thread.ts',
  'chunks/quick-drafts.cjs': 'commands/start/quick-drafts.ts',
  'chunks/quick-folders.cjs': 'commands/start/quick-folders.ts',
  'chunks/read-stored-names.cjs': 'commands/completion/read-stored-names.ts',
  'chunks/appointment-names-from-files.cjs': 'src/appointment-names-from-files.ts',
  'main.cjs': 'commands/start/main.ts', // comes last: it names the build
}
const loadedLater = [...Object.keys(alone), 'command-line.cjs', 'terminal.cjs', 'load-snapshot.cjs']
const inputs = new Set(Object.keys(metafile.inputs))
for (const [file, from] of Object.entries(alone)) {
  const built = await build({
    ...common,
    format: 'cjs',
    supported: { 'dynamic-import': false }, // the first one starts Node's loader of ES modules
    entryPoints: [from],
    outfile: `dist/${file}`,
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    define: { ...define, STUDIO_BUILD: JSON.stringify(hash.copy().digest('hex').slice(0, 16)) },
    plugins: [beside(file, loadedLater, ['compact-files']), ourSources()],
    logOverride: { 'empty-import-meta': 'silent' }, // in what never runs there
    metafile: true,
  })
  hash.update(await readFile(`dist/${file}`))
  for (const input of Object.keys(built.metafile.inputs)) inputs.add(input)
}
await copyFile('node_modules/sql.js/dist/sql-wasm.wasm', 'dist/chunks/sql-wasm.wasm')
await copyFile('node_modules/highs/build/highs.wasm', 'dist/chunks/highs.wasm')
for (const asset of ['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt'])
  await copyFile(`node_modules/swagger-ui-dist/${asset}`, `dist/chunks/${asset}`)
for (const [name, bytes] of documents) await writeFile(`dist/chunks/${name}`, bytes)
// What browsers load, as files of their own.
await build({
  entryPoints: ['src/console/assets/**/*'],
  outbase: 'src/console/assets',
  outdir: 'dist/chunks/console',
  minify: true,
  format: 'esm',
  target: 'es2022',
  logLevel: 'warning',
})
if (process.argv.includes('--types')) {
  const { deriveDeclarations } = await load('src/library/declarations.ts')
  await writeFile('dist/index.d.ts', await deriveDeclarations())
}
if (process.argv.includes('--reference')) await (await load('commands/reference/write.ts')).writeReference()
const packages = await bundledPackages(inputs)
await writeFile('dist/THIRD-PARTY-LICENSES.txt', await noticesOf(packages))
await writeFile('dist/sbom.cdx.json', `${JSON.stringify(await billOf(packages), null, 1)}\n`)
