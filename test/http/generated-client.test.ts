import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { generate } from 'orval'
import ts from 'typescript'
import { expect, it, onTestFinished } from 'vitest'
import { loadAllOperations } from '../../src/catalog'
import { openApiDocument } from '../../src/http/openapi'

const description = openApiDocument(await loadAllOperations(), '1.0.0')

it('orval generates a client that compiles', async () => {
  const folder = await makeFolder()
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(description))
  await generate({
    input: { target: join(folder, 'openapi.json') },
    output: { target: join(folder, 'api.ts'), schemas: join(folder, 'model'), client: 'fetch', mode: 'split' },
  })
  const generated = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'))
  expect(generated).toContain(join('model', 'workItem.ts'))
  expect(compile(generated.map((name) => join(folder, name)))).toEqual([])
})

/** Generators of other languages make mistakes where TypeScript's do not; what they are known to get wrong is not in the description. */
it('holds nothing that generators are known to write wrongly', () => {
  const found: string[] = []
  walk(description, '', (node, path) => {
    if (typeof node['const'] === 'string' && /["'\\]/.test(node['const'])) found.push(`${path}: a quoted constant`)
    if ('prefixItems' in node) found.push(`${path}: prefixItems`)
    if (node['type'] === 'array' && typeof node['items'] !== 'object') found.push(`${path}: an array without a shape`)
  })
  expect(found).toEqual([])
})

/** Inside of node_modules, so that generated code finds the packages that it imports. */
async function makeFolder(): Promise<string> {
  const parent = resolve('node_modules/.cache')
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, 'studio-generated-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function compile(files: readonly string[]): string[] {
  const compiled = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Preserve,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
  })
  return ts
    .getPreEmitDiagnostics(compiled)
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)
}

function walk(node: unknown, path: string, visit: (node: Record<string, unknown>, path: string) => void): void {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) visit(node as Record<string, unknown>, path)
  for (const [key, value] of Object.entries(node)) walk(value, `${path}/${key}`, visit)
}
