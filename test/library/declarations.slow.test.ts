import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '../../src/catalog'
import { deriveDeclarations } from '../../src/library/declarations'
import { temporaryFolder } from '../temporary-folder'

let declarations: string
beforeAll(async () => {
  declarations = await deriveDeclarations()
})

/** What the compiler says to a program that uses the library. */
function complaints(program: string): string[] {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'story-studio.d.ts'), declarations)
  const file = join(folder, 'program.ts')
  writeFileSync(file, `import { openStudio, StudioError } from './story-studio'\n${program}`)
  const options = { strict: true, noEmit: true, types: [], target: ts.ScriptTarget.ES2022 }
  const found = ts.getPreEmitDiagnostics(ts.createProgram([file], options))
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

describe('the types of the library', () => {
  it('name every operation', () => {
    for (const id of Object.keys(catalog)) expect(declarations).toContain(`  '${id}': { input: `)
  })

  it('compile, and fit a program that calls operations', () => {
    const program = `
      const studio = openStudio({ tenant: 'acme' })
      export async function run(): Promise<number> {
        try {
          const found = await studio.call('search.fast', { q: 'door' })
          const tree = await studio.call('reports.hierarchy', {})
          const first: string | undefined = tree.features[0]?.children[0]?.title
          return found.total + (first?.length ?? 0)
        } catch (error) {
          if (error instanceof StudioError && error.code === 'not_found') return 0
          throw error
        }
      }`
    expect(complaints(program)).toEqual([])
  })

  it('take the references of items beside their IDs', () => {
    const program = `
      const studio = openStudio()
      export const calls = [
        studio.call('items.get', { id: 204 }),
        studio.call('items.get', { id: 'jira:ABC-7' }),
        studio.call('items.import-single', { ids: [204, 'gh:owner/repository#12'] }),
        studio.call('items.list', { parent: 'jira:ABC-7' }),
      ]
      export const id: Promise<number> = studio.call('items.get', { id: 204 }).then((item) => item.id)`
    expect(complaints(program)).toEqual([])
  })

  it.each([
    ["studio.call('items.get', { id: true })", 'string | number'],
    ["studio.call('search.slow', { q: 'door' })", 'search.slow'],
    ["studio.call('search.fast', { q: 4 })", 'number'],
    ["studio.call('search.fast', { q: 'door' }).then((found) => found.nothing)", 'nothing'],
  ])('refuse %s', (call, word) => {
    expect(complaints(`const studio = openStudio()\nexport const it = ${call}`).join()).toContain(word)
  })
})
