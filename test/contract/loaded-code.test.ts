import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { firstJsonLine, program } from './program'

/** The files of the program that a process ran code of. It runs in an environment that makes it write down which. */
async function listLoaded(run: (env: Record<string, string>) => Promise<void>): Promise<string[]> {
  const coverage = mkdtempSync(join(tmpdir(), 'studio-coverage-'))
  onTestFinished(() => rmSync(coverage, { recursive: true, force: true }))
  await run({ NODE_V8_COVERAGE: coverage })
  const reports = readdirSync(coverage).map((name) => JSON.parse(readFileSync(join(coverage, name), 'utf8')))
  const urls: string[] = reports.flatMap(({ result }) => result.map(({ url }: { url: string }) => url))
  return urls.filter((url) => url.includes('/dist/')).map((url) => fileURLToPath(url))
}

function sumBytes(files: readonly string[]): number {
  expect(files.length).toBeGreaterThan(3)
  return files.reduce((sum, file) => sum + statSync(file).size, 0)
}

// An import in the wrong place brings parsers of HTML and patterns of secrets into every start.
it('a command that needs no more than a database that exists loads less than a megabyte of code', async () => {
  const studio = await program()
  // The first command creates the tables.
  await studio.run(['filter', 'list'])
  const files = await listLoaded(async (env) => {
    const { exitCode, err } = await studio.run(['filter', 'list'], { env })
    expect(exitCode, err).toBe(0)
  })
  expect(sumBytes(files)).toBeLessThan(1_000_000)
})

it('a service loads less than 1.5 megabytes of code before it listens', async () => {
  const files = await listLoaded(async (env) => {
    const running = (await program()).start(['serve', '--port', '0', '--json'], env)
    await firstJsonLine(running)
    running.kill('SIGTERM')
    expect((await running).exitCode).toBe(0)
  })
  expect(sumBytes(files)).toBeLessThan(1_500_000)
})
