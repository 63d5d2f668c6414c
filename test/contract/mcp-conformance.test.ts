import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstJsonLine, program } from './program'

/** Those of the protocol's own scenarios that ask for no tool, prompt or resource of a certain name. */
const SCENARIOS = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
]

const folder = resolve('node_modules/.cache/studio-conformance')

beforeAll(async () => {
  const own = await readFile('node_modules/@modelcontextprotocol/conformance/dist/index.js', 'utf8')
  const manifest = await readFile('node_modules/@modelcontextprotocol/conformance/package.json', 'utf8')
  await mkdir(folder, { recursive: true })
  // Node 20 has no fs.globSync, which the scenarios for servers never call; importing it would keep them from starting.
  await writeFile(`${folder}/index.mjs`, own.replace(/globSync as \w+,/, ''))
  await writeFile(`${folder}/package.json`, manifest)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the protocol’s conformance scenarios', () => {
  it.each(SCENARIOS)('%s passes', async (scenario) => {
    const studio = await program()
    const { url } = await firstJsonLine(studio.start(['serve', '--port', '0', '--json', '--quiet']))
    const args = ['server', '--url', `${url}/mcp`, '--scenario', scenario, '-o', studio.home]
    const { stdout, exitCode } = await execa(process.execPath, [`${folder}/index.mjs`, ...args], { reject: false })
    expect(stdout).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/)
    expect(exitCode).toBe(0)
  })
})
