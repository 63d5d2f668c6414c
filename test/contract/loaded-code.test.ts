import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { program } from './program'

/** The files of the program that a process ran code of. */
async function filesLoadedBy(words: string[]): Promise<string[]> {
  const coverage = mkdtempSync(join(tmpdir(), 'studio-coverage-'))
  onTestFinished(() => rmSync(coverage, { recursive: true, force: true }))
  const { exitCode, err } = await (await program()).run(words, { env: { NODE_V8_COVERAGE: coverage } })
  expect(exitCode, err).toBe(0)
  const reports = readdirSync(coverage).map((name) => JSON.parse(readFileSync(join(coverage, name), 'utf8')))
  const urls: string[] = reports.flatMap(({ result }) => result.map(({ url }: { url: string }) => url))
  return urls.filter((url) => url.includes('/dist/')).map((url) => fileURLToPath(url))
}

// An import in the wrong place brings parsers of HTML and patterns of secrets into every start.
it('a command that needs no more than the database loads less than a megabyte of code', async () => {
  const files = await filesLoadedBy(['filter', 'list'])
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
  expect(files.length).toBeGreaterThan(3)
  expect(bytes).toBeLessThan(1_000_000)
})
