import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** The files of the program that a process ran code of. It runs in an environment that makes it write down which. */
export async function listLoaded(run: (env: Record<string, string>) => Promise<void>): Promise<string[]> {
  const coverage = mkdtempSync(join(tmpdir(), 'studio-coverage-'))
  onTestFinished(() => rmSync(coverage, { recursive: true, force: true }))
  await run({ NODE_V8_COVERAGE: coverage })
  const reports = readdirSync(coverage).map((name) => JSON.parse(readFileSync(join(coverage, name), 'utf8')))
  const urls: string[] = reports.flatMap(({ result }) => result.map(({ url }: { url: string }) => url))
  return urls.filter((url) => url.includes('/dist/')).map((url) => fileURLToPath(url))
}
