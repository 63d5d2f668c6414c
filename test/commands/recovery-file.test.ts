import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runCommand } from '../../commands/start/command-line'
import type { Terminal } from '../../commands/start/invocation'
import { memoryTerminal } from '../../commands/terminal/terminal'
import { startStubModel } from '../assistant/stub-model'
import { expectOwnerOnly } from '../file-mode'

const WRITTEN = 'Drivers learn their door at the gate.'
const REFINED = `Long.\n\n## Summary\n\n${WRITTEN}`

interface Desk {
  home: string
  /** Runs a command; `beforeShown` is done when its result is about to be shown. */
  run(
    args: readonly string[],
    beforeShown?: () => Promise<void>,
  ): Promise<{ exitCode: number; out: string; err: string }>
}

/** A workspace with one draft, and a model during whose work `meanwhile` happens. */
async function deskWhere(meanwhile: (desk: Desk) => Promise<unknown>): Promise<Desk> {
  const home = await mkdtemp(join(tmpdir(), 'studio-refine-'))
  const stub = await startStubModel({
    replies: [
      {
        pieces: async (at) => {
          if (at > 0) return null
          await meanwhile(desk)
          return JSON.stringify({ summary: WRITTEN })
        },
      },
    ],
  })
  onTestFinished(async () => {
    await stub.close()
    await rm(home, { recursive: true, force: true })
  })
  const desk: Desk = {
    home,
    async run(args, beforeShown) {
      const terminal = memoryTerminal({ env: { STUDIO_HOME: home, STUDIO_LLM_HOST: stub.url }, cwd: home })
      const watched: Terminal = {
        ...terminal,
        show: async (text) => {
          await beforeShown?.()
          await terminal.show(text)
        },
      }
      const exitCode = await runCommand(args, watched, new AbortController().signal)
      return { exitCode, out: terminal.output, err: terminal.errors }
    },
  }
  await desk.run(['draft', 'save', '--title', 'Door', '--description', 'Long.', '--tags', 'gate'])
  return desk
}

const theirs = (desk: Desk) => desk.run(['draft', 'save', '--id', '1', '--tags', 'theirs'])
const draftOf = async (desk: Desk) => JSON.parse((await desk.run(['draft', 'get', '1', '--json'])).out)
const fileNamedIn = (text: string) => /saved in (\S+\.md)\n/.exec(text)?.[1] ?? ''

describe('a refinement that cannot be saved', () => {
  it('is written to a file that draft save accepts', async () => {
    const desk = await deskWhere(theirs)
    const { exitCode, err } = await desk.run(['draft', 'refine', '1', '--prompt', 'summary', '--apply'])
    expect([exitCode, err]).toEqual([5, expect.stringContaining('was changed at')])
    const file = fileNamedIn(err)
    expect(err).toContain(`studio draft save --file ${file}`)
    expectOwnerOnly(file)
    expect(await draftOf(desk)).toMatchObject({ description: 'Long.', tags: 'theirs' })
    expect((await desk.run(['draft', 'save', '--file', file])).exitCode).toBe(0)
    expect(await draftOf(desk)).toMatchObject({ title: 'Door', description: REFINED, tags: 'theirs' })
  })

  it('is also in the details of the error', async () => {
    const desk = await deskWhere(theirs)
    const { exitCode, err } = await desk.run(['draft', 'refine', '1', '--prompt', 'summary', '--apply', '--json'])
    const body = JSON.parse(err)
    expect(exitCode).toBe(5)
    expect(body).toMatchObject({ code: 'stale_revision' })
    expect(body.details).toContainEqual({ path: 'description', message: expect.any(String), unsaved: REFINED })
    expect(await readFile(fileNamedIn(body.hint), 'utf8')).toContain(WRITTEN)
  })

  it('is written to a file if the draft changes before the user confirms', async () => {
    const desk = await deskWhere(async () => {})
    const { exitCode, err } = await desk.run(['draft', 'refine', '1', '--prompt', 'summary', '--yes'], async () => {
      await theirs(desk)
    })
    expect(exitCode).toBe(5)
    expect(await readFile(fileNamedIn(err), 'utf8')).toContain(WRITTEN)
  })

  it('is printed if no file can be written', async () => {
    const desk = await deskWhere(async (at) => {
      await theirs(at)
      await rm(join(at.home, 'state'), { recursive: true, force: true })
      await writeFile(join(at.home, 'state'), 'no folder')
    })
    const { exitCode, err } = await desk.run(['draft', 'refine', '1', '--prompt', 'summary', '--apply'])
    expect([exitCode, err]).toEqual([5, expect.stringContaining(WRITTEN)])
    expect(err).toContain('was changed at')
  })

  it('leaves no file if the model was not asked', async () => {
    const desk = await deskWhere(async () => {})
    const { err } = await desk.run(['draft', 'refine', '7', '--prompt', 'summary', '--apply'])
    expect(err).not.toContain('saved in')
    expect((await readdir(desk.home)).filter((name) => name === 'state')).toEqual([])
  })
})
