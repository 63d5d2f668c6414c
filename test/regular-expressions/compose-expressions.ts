import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import type { Site } from './find-expressions'

/** The modules of the program, by file. */
export type Modules = Record<string, any>

/**
 * The expressions that the program composes, by their position. The modules are loaded with instrumented calls of `RegExp`.
 * `run` calls the functions that compose expressions only on demand.
 */
export async function composeExpressions(
  sites: readonly Site[],
  run: (modules: Modules) => void,
): Promise<Map<string, RegExp[]>> {
  const composed = sites.filter(({ literal }) => literal === null)
  const found = new Map<string, RegExp[]>()
  const report = (at: string, expression: RegExp): RegExp => {
    found.set(at, [...(found.get(at) ?? []), expression])
    return expression
  }
  const files = [...new Set(composed.map(({ file }) => file))]
  const folder = await mkdtemp(resolve('node_modules/.cache-expressions-'))
  try {
    const outfile = `${folder}/modules.mjs`
    await build({
      stdin: {
        contents: files.map((file, n) => `export * as m${n} from './${file}'`).join('\n'),
        resolveDir: resolve('.'),
        loader: 'ts',
      },
      bundle: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      logLevel: 'error',
      outfile,
      plugins: [
        {
          name: 'report-expressions',
          setup({ onLoad }) {
            onLoad({ filter: /\.ts$/ }, async ({ path }) => {
              const inside = composed.filter(({ file }) => resolve(file) === path)
              const contents = await readFile(path, 'utf8')
              return { contents: inside.reduceRight(reporting, contents), loader: 'ts' }
            })
          },
        },
      ],
    })
    Object.assign(globalThis, { reportExpression: report })
    const loaded = await import(pathToFileURL(outfile).href)
    run(Object.fromEntries(files.map((file, n) => [file, loaded[`m${n}`]])))
    return found
  } finally {
    Reflect.deleteProperty(globalThis, 'reportExpression')
    await rm(folder, { recursive: true })
  }
}

/** Instruments one call of `RegExp` in the text of a module, so that the call is reported. */
function reporting(text: string, { at, start, end }: Site): string {
  return `${text.slice(0, start)}globalThis.reportExpression(${JSON.stringify(at)},${text.slice(start, end)})${text.slice(end)}`
}
