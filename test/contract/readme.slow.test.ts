import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { program } from './program'

const readme = readFileSync('README.md', 'utf8')
/** In the order of the page: each may build on those before it. */
const commands = [...readme.matchAll(/`(studio [^`\n]+)`/g)]
  // The dates will be over one day; 28 years later they are on the same weekdays.
  .map((match) => match[1]!.replaceAll('2027-', '2055-'))
  .filter((line) => !/<|serve|--help/.test(line))

/** Splits a command line as a shell does, as far as double quotes go. */
const wordsOf = (line: string) => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2]!).slice(1)

describe('the README', () => {
  it('shows only commands that work, one after another', async () => {
    const studio = await program()
    // `config trust` needs a project file, and must not find one above the home of this test.
    await writeFile(join(studio.home, 'studio.config.json'), '{}')
    expect(commands.length).toBeGreaterThan(8)
    for (const line of commands) {
      const { exitCode, err } = await studio.run(wordsOf(line))
      expect(`${line}: ${exitCode} ${err.match(/error:.*/)?.[0] ?? ''}`).toBe(`${line}: 0 `)
    }
  })

  it('gives two lines that run a package script', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
    for (const [, script] of readme.matchAll(/npm ci && npm run (\w+)/g)) expect(scripts).toHaveProperty(script!)
    expect(readFileSync('.ci/run', 'utf8')).toContain('npm run check')
  })
})
