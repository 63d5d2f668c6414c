import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { runCommand } from '../../commands/start/command-line'
import { memoryTerminal } from '../../commands/terminal/terminal'
import { temporaryFolder } from '../temporary-folder'

/** The editor is a program of Unix here. */
const hasNoSed = process.platform === 'win32'

describe('studio item edit', () => {
  let home: string

  const run = async (argv: string[], { editor, canAsk = false }: { editor?: string; canAsk?: boolean } = {}) => {
    const env = { STUDIO_HOME: home, PATH: process.env['PATH'], ...(editor && { EDITOR: editor }) }
    const terminal = memoryTerminal({ env, cwd: home, canAsk })
    const exitCode = await runCommand(argv, terminal, new AbortController().signal)
    return { exitCode, out: terminal.output, err: terminal.errors }
  }
  const edit = (...argv: string[]) => run(['item', 'edit', ...argv])
  const inEditor = (editor: string, ...argv: string[]) =>
    run(['item', 'edit', '204', '--yes', ...argv], { editor, canAsk: true })
  const file = () => join(home, 'item.md')
  const save = (text: string) => writeFile(file(), text)
  const exported = async () => (await edit('204', '--export')).out
  const item = async () => JSON.parse((await run(['item', 'get', '204', '--json'])).out)

  beforeEach(async () => {
    home = temporaryFolder()
  })

  it('prints the item as Markdown, whose own text is no change', async () => {
    const text = await exported()
    expect(text).toMatch(/^---\nid: 204\nrev: \d+\ntitle: .+\nstate: Active\nassignee: .+@.+\n/)
    expect(text).toContain('\n## Description\n\n')
    expect(text).toMatch(/\nfields:\n {2}/)
    await save(text)
    expect(await edit('#204', '--file', file())).toMatchObject({ exitCode: 0, out: '', err: 'Nothing was changed.\n' })
  })

  it('sends what was changed in a file, and leaves the rest as the tracker stores it', async () => {
    const before = await item()
    const text = (await exported()).replace(/^points: .*/m, 'points: 20').replace(/^tags: (.*)/m, 'tags: fresh; $1')
    await save(text.replace('\n## Acceptance criteria\n', '\nOne more line.\n\n## Acceptance criteria\n'))
    const preview = await edit('204', '--file', file(), '--dry-run')
    expect(preview.out).toContain('Story Points')
    expect(preview.out).toMatch(/Tags: gate; messaging → gate; messaging; fresh/)
    expect((await item()).rev).toBe(before.rev)
    expect(await edit('204', '--file', file())).toMatchObject({ exitCode: 0 })
    const after = await item()
    expect(after).toMatchObject({ storyPoints: 20, state: before.state, title: before.title })
    expect(after.description).toContain('One more line.')
    // The form in which the tracker stores the rest is the same.
    expect(after.description.startsWith(before.description.slice(0, before.description.length / 2))).toBe(true)
  })

  it('keeps what others have changed since, and sends nothing if both have changed the same', async () => {
    const text = await exported()
    await run(['batch-update', '204', '--set', 'Priority=4'])
    await save(text.replace(/^points: .*/m, 'points: 20'))
    expect(await edit('204', '--file', file())).toMatchObject({ exitCode: 0 })
    expect(await item()).toMatchObject({ storyPoints: 20, priority: 4 })
    await save(text.replace(/^points: .*/m, 'points: 2'))
    const conflict = await edit('204', '--file', file())
    expect(conflict.exitCode).not.toBe(0)
    expect(conflict.out).toContain('Another user changed Story Points')
    expect(await item()).toMatchObject({ storyPoints: 20 })
  })

  it('says what is wrong with a file', async () => {
    const text = await exported()
    for (const [wrong, message] of [
      ['', 'is empty'],
      [text.replace('id: 204', 'id: 205'), 'is of work item 205'],
      [text.replace('state: Active', 'state: [a: b'), 'front matter is not YAML'],
      [text.replace('state: Active', 'stat: Active'), '"stat" in the front matter is none of'],
      [text.replace('state: Active', 'state: Nope'), '"Nope" is not a state'],
      [text.replace(/^rev: .*/m, 'rev: 1'), 'No snapshot of revision 1'],
    ] as const) {
      await save(wrong)
      expect((await edit('204', '--file', file())).err.replace(/\s+/g, ' ')).toContain(message)
    }
  })

  it('needs a terminal for an editor, and says what to do without one', async () => {
    const { exitCode, err } = await edit('204')
    expect(exitCode).toBe(2)
    expect(err).toContain('studio item edit 204 --export > item.md')
  })

  it('takes the text of an editor that adds a byte order mark and line ends of Windows', async () => {
    const script = join(home, 'my é editor.cjs')
    const edits = "replace(/^points:.*/m, 'points: 13').replace(/\\n/g, '\\r\\n')"
    await writeFile(
      script,
      `const fs = require('node:fs'), file = process.argv[2]
      fs.writeFileSync(file, '\\ufeff' + fs.readFileSync(file, 'utf8').${edits})`,
    )
    expect(await inEditor(`"${process.execPath}" "${script}"`)).toMatchObject({ exitCode: 0 })
    expect(await item()).toMatchObject({ storyPoints: 13 })
  })

  it.skipIf(hasNoSed)('opens an editor, and sends what was changed in it', async () => {
    expect(await inEditor("sed -i 's/^points:.*/points: 13/'")).toMatchObject({ exitCode: 0 })
    expect(await item()).toMatchObject({ storyPoints: 13 })
    expect((await inEditor('true')).err).toContain('Nothing was changed.')
  })

  it.skipIf(hasNoSed).each([
    ['the editor fails', 'sed -i \'s/^points:.*/points: 21/\' "$1"; false #', 'ended with 1'],
    ['the file cannot be read', "sed -i 's/^points:.*/nope: 21/'", '"nope" in the front matter'],
    ['a value is wrong', "sed -i 's/^state:.*/state: 21/'", 'is not a state'],
  ])('keeps the text in a file if %s', async (_reason, editor, message) => {
    const { exitCode, err, out } = await inEditor(editor)
    expect(exitCode).not.toBe(0)
    expect((err + out).replace(/\s+/g, ' ')).toContain(message)
    const [, kept] = /Your text is saved in (\S+)/.exec(err)!
    expect(await readFile(kept!, 'utf8')).toContain('21')
    expect(err).toContain(`studio item edit 204 --file ${kept}`)
  })
})
