import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { helpTopics, topicText } from '../../commands/help-topics'
import { runCommand } from '../../commands/start/command-line'
import { memoryTerminal } from '../../commands/terminal/terminal'
import { environmentVariables } from '../../src/config/services/environment-variables'
import { exitCodeOf, families } from '../../src/kernel'

describe('studio help <topic>', () => {
  it.each(Object.keys(helpTopics))('%s has a text that fits a window', async (topic) => {
    const terminal = memoryTerminal()
    expect(await runCommand(['help', topic], terminal, new AbortController().signal)).toBe(0)
    expect(terminal.output.split(/\s+/)).toEqual(topicText(topic)!.split(/\s+/))
    expect(terminal.output.split('\n').filter((line) => line.length > 100)).toEqual([])
  })

  it('is named in studio --help', async () => {
    const terminal = memoryTerminal()
    await runCommand(['--help'], terminal, new AbortController().signal)
    for (const topic of Object.keys(helpTopics)) expect(terminal.output).toContain(topic)
  })

  it('of exit codes knows every family of errors', () => {
    const text = topicText('exit-codes')!
    for (const family of Object.keys(families)) {
      expect(text).toMatch(new RegExp(`\\b${family}\\b`))
      expect(text).toContain(` ${exitCodeOf(family as keyof typeof families)}  `)
    }
  })

  it('of the environment knows every variable that the program reads', () => {
    const read = ['src', 'commands']
      .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)))
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => readFileSync(file, 'utf8').match(/env\['STUDIO_[A-Z_]+'\]|env, 'STUDIO_[A-Z_]+'/g) ?? [])
      .map((found) => /STUDIO_[A-Z_]+/.exec(found)![0])
    expect(new Set(read).size).toBeGreaterThan(10)
    expect([...new Set(read)].filter((name) => !environmentVariables.some((known) => known.name === name))).toEqual([])
    for (const { name } of environmentVariables) expect(topicText('environment')).toContain(name)
  })

  it('is null for an unknown topic', async () => {
    const terminal = memoryTerminal()
    expect(await runCommand(['help', 'constructor'], terminal, new AbortController().signal)).toBe(2)
  })
})
