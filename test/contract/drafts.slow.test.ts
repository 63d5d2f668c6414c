import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { canOpenTerminal, firstJsonLine, type Program, program } from './program'

async function served(studio: Program) {
  const { url } = await firstJsonLine(studio.start(['serve', '--port', '0', '--json', '--quiet']))
  return async (method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> => {
    const response = await fetch(url + path, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    return { status: response.status, body: await response.json() }
  }
}

describe('drafts on the command line', () => {
  it('are saved by flags, listed, moved, and deleted after consent', async () => {
    const studio = await program()
    const made = await studio.json(['draft', 'save', '--title', 'Late trucks', '--story-points', '3'])
    expect(made).toMatchObject({ id: 1, title: 'Late trucks', storyPoints: 3, folderId: 1 })
    const changed = await studio.json(['draft', 'save', '--id', '1', '--acceptance-criteria', '- a', '--tags', 'x; y'])
    expect(changed).toMatchObject({ title: 'Late trucks', acceptanceCriteria: '- a', tags: 'x; y' })
    expect(await studio.json(['folder', 'create', 'Vendor', '--parent', '1'])).toMatchObject({ id: 2, parentId: 1 })
    expect(await studio.json(['draft', 'move', '1', '--folder', '2'])).toMatchObject({ folderId: 2 })
    expect(await studio.json(['draft', 'list', '--folder', '2', '--search', 'LATE'])).toHaveLength(1)
    expect(await studio.json(['folder', 'rename', '2', 'For the vendor', '--top'])).toMatchObject({ parentId: null })

    const unasked = await studio.run(['draft', 'delete', '1'])
    expect(unasked).toMatchObject({ exitCode: 2, err: expect.stringContaining('--yes') })
    expect((await studio.run(['draft', 'delete', '1', '--dry-run'])).out).toContain('Would delete draft 1')
    expect(await studio.json(['folder', 'delete', '2', '--move-to', '1', '--yes'])).toMatchObject({ movedDrafts: [1] })
    expect(await studio.json(['draft', 'delete', '1', '--yes'])).toMatchObject({ deleted: true })
    expect(await studio.run(['draft', 'get', '1'])).toMatchObject({ exitCode: 3 })
  })

  it('go out as a file and come back, from a path or standard input', async () => {
    const studio = await program()
    await studio.json(['draft', 'save', '--title', 'A: b', '--description', 'one\n\n## Description\n\ntwo'])
    const { publications: _none, files: _stored, ...before } = await studio.json(['draft', 'get', '1'])
    const { out: file } = await studio.run(['draft', 'get', '1', '--format', 'md'])
    expect(await studio.json(['draft', 'save', '--file', '-'], { input: file })).toEqual(before)
    const path = join(studio.home, 'story.md')
    await writeFile(path, file.replace('one', 'three').replace('"A: b"', 'C'))
    expect(await studio.json(['draft', 'save', '--file', path, '--tags', 'x'])).toMatchObject({
      id: 1,
      title: 'C',
      description: 'three\n\n## Description\n\ntwo',
      tags: 'x',
    })
    const json = join(studio.home, 'story.json')
    await writeFile(json, (await studio.run(['draft', 'get', '1', '--format', 'json'])).out)
    expect(await studio.run(['draft', 'save', '--file', json])).toMatchObject({ exitCode: 0 })
    const stale = await studio.run(['draft', 'save', '--file', path, '--json'])
    expect(stale.exitCode).toBe(5)
    expect(JSON.parse(stale.err)).toMatchObject({
      code: 'stale_revision',
      details: [{ path: 'updatedAt' }, {}, {}, {}],
    })
  })

  it.each([
    [['draft', 'save', '--id', '9', '--title', 'x'], 3, 'no draft 9'],
    [['draft', 'save', '--file', 'nowhere.md'], 2, 'the file does not exist'],
    [['draft', 'save', '--story-points', 'many'], 2, '--story-points'],
    [['draft', 'save', '--state', 'New'], 2, '--state'],
    [['draft', 'list', '--sort', 'size'], 2, 'size'],
    [['draft', 'undo', '1'], 3, 'no draft 1'],
    [['draft', 'edit', '1'], 2, 'needs a terminal'],
    [['folder', 'delete', '1', '--yes'], 5, 'default folder'],
    [['filter', 'save', 'a'], 2, '--state'],
    [['filter', 'working', '--state', 'New', '--clear'], 2, 'not both'],
    [['folder', 'rename', '1', '--parent', '1'], 2, '--parent'],
  ])('%j exits %i and says %j', async (args, exitCode, said) => {
    const studio = await program()
    const ran = await studio.run(args)
    expect(ran).toMatchObject({ exitCode, out: '' })
    expect(ran.err).toContain(said)
  })

  it('are refused by the fields of the file that gives them, and by the flags that were typed', async () => {
    const studio = await program()
    await writeFile(join(studio.home, 'wrong.md'), '---\nstoryPoints: many\n---\n# A story\n')
    const { exitCode, err } = await studio.run(['draft', 'save', '--file', 'wrong.md', '--folder', '0'])
    expect(exitCode).toBe(2)
    expect(err).toMatch(/(?<!-)\bstoryPoints: must be a number/)
    expect(err).toContain('--folder: must be')
    expect(err).toContain('Correct wrong.md')
  })

  it('keep a history that undo goes through', async () => {
    const studio = await program()
    for (const title of ['one', 'two', 'three']) {
      await studio.json(['draft', 'save', ...(title === 'one' ? [] : ['--id', '1']), '--title', title])
    }
    expect(await studio.json(['draft', 'undo', '1'])).toMatchObject({ title: 'two' })
    expect((await studio.run(['draft', 'history', '1'])).out).toContain('restored version 2')
    expect(await studio.json(['draft', 'undo', '1', '--to', '3'])).toMatchObject({ title: 'three' })
  })
})

describe('filters on the command line', () => {
  it('are saved, worked with, and used by item list', async () => {
    const studio = await program()
    await studio.json(['import', '101'])
    const all = await studio.json(['item', 'list'])
    const active = all.filter((item: { state: string }) => item.state === 'Active').length
    expect(await studio.json(['filter', 'working'])).toMatchObject({ itemCount: all.length, updatedAt: null })
    expect(await studio.json(['filter', 'working', '--state', 'active'])).toMatchObject({ itemCount: active })
    expect(await studio.json(['filter', 'save', 'Open'])).toMatchObject({ id: 1, criteria: { state: 'active' } })
    expect(await studio.json(['item', 'list', '--filter', 'working'])).toHaveLength(active)
    expect(await studio.json(['filter', 'working', '--clear'])).toMatchObject({ updatedAt: null })
    expect(await studio.json(['item', 'list', '--filter', 'open'])).toHaveLength(active)
    expect(await studio.run(['filter', 'delete', '1'])).toMatchObject({ exitCode: 2 })
    expect(await studio.json(['filter', 'delete', '1', '--yes'])).toMatchObject({ deleted: true })
    expect(await studio.json(['filter', 'list'])).toEqual([])
  })
})

describe('the API of drafts, folders and filters', () => {
  it('does what the document says', async () => {
    const call = await served(await program())
    const made = await call('POST', '/api/stories/save-draft', { title: 'a', description: 'b' })
    expect(made).toMatchObject({ status: 200, body: { id: 1, title: 'a', sourceItemId: null } })
    const { updatedAt } = made.body
    expect((await call('POST', '/api/stories/save-draft', { id: 1, title: 'c' })).body).toMatchObject({
      description: 'b',
    })
    expect(await call('POST', '/api/stories/save-draft', { id: 1, title: 'd', updatedAt })).toMatchObject({
      status: 409,
      body: { code: 'stale_revision', details: [{ path: 'updatedAt' }, { path: 'title', was: 'a', now: 'c' }] },
    })
    expect(await call('POST', '/api/stories/save-draft', { id: 1, colour: 'red' })).toMatchObject({ status: 400 })
    expect(await call('POST', '/api/stories/save-draft', { id: 7, title: 'x' })).toMatchObject({ status: 404 })
    expect((await call('POST', '/api/stories/1/undo', {})).body).toMatchObject({ title: 'a' })
    expect((await call('GET', '/api/stories/1/history')).body.versions).toHaveLength(3)

    expect((await call('POST', '/api/folders', { name: 'f' })).body).toEqual({
      id: 2,
      name: 'f',
      parentId: null,
      draftCount: 0,
    })
    expect((await call('POST', '/api/stories/move', { id: 1, folderId: 2 })).body).toMatchObject({ folderId: 2 })
    expect((await call('GET', '/api/stories/saved?folderId=2&sort=-title&search=a')).body).toMatchObject([{ id: 1 }])
    expect((await call('GET', '/api/stories/saved?sort=size')).status).toBe(400)
    expect((await call('PATCH', '/api/folders/2', { parentId: 2 })).status).toBe(400)
    expect((await call('PATCH', '/api/folders/2', { name: 'g' })).body).toMatchObject({ name: 'g', draftCount: 1 })
    expect((await call('DELETE', '/api/folders/2')).status).toBe(409)
    expect((await call('DELETE', '/api/folders/2?moveTo=1&dryRun=true')).body).toMatchObject({ deleted: false })
    expect((await call('DELETE', '/api/folders/2?moveTo=1')).body).toMatchObject({ deleted: true, movedDrafts: [1] })
    expect((await call('DELETE', '/api/folders/1')).status).toBe(409)
    expect((await call('DELETE', '/api/stories/1')).status).toBe(200)
    expect((await call('DELETE', '/api/stories/1')).status).toBe(404)

    expect((await call('PUT', '/api/helper/working-filter', { criteria: { search: 'x' } })).body).toMatchObject({
      itemCount: 0,
    })
    expect((await call('POST', '/api/helper/filters', { name: 'n' })).body).toMatchObject({ criteria: { search: 'x' } })
    expect((await call('GET', '/api/helper/filters')).body).toHaveLength(1)
    expect((await call('DELETE', '/api/helper/working-filter')).body).toMatchObject({ updatedAt: null })
    expect((await call('GET', '/api/helper/items?filter=n')).body).toEqual([])
    expect((await call('DELETE', '/api/helper/filters/1')).status).toBe(200)
  })
})

describe.skipIf(!canOpenTerminal)('editing a draft in an editor', () => {
  /** `script` gives the program a terminal; the editor is a shell script that gets the file's path. */
  async function edited(studio: Program, editor: string) {
    const path = join(studio.home, 'editor.sh')
    await writeFile(path, `#!/bin/sh\n${editor}\n`)
    await chmod(path, 0o755)
    const { execa } = await import('execa')
    const command = `${process.execPath} ${join(process.cwd(), 'bin/studio.js')} draft edit 1`
    const { stdout, exitCode } = await execa('script', ['-qec', command, '/dev/null'], {
      env: { PATH: process.env['PATH'] ?? '', STUDIO_HOME: studio.home, VISUAL: path, TERM: 'dumb' },
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
      cwd: studio.home,
    })
    return { exitCode, said: stdout.replace(/\s+/g, ' ') }
  }

  async function withDraft(): Promise<Program> {
    const studio = await program()
    await studio.json(['draft', 'save', '--title', 'one', '--description', 'text'])
    return studio
  }

  it('saves what was changed, and nothing where nothing was', async () => {
    const studio = await withDraft()
    const { exitCode, said } = await edited(studio, 'sed -i s/one/two/ "$1"')
    expect({ exitCode, said }).toMatchObject({ exitCode: 0, said: expect.stringContaining('Draft 1') })
    expect(said).toContain('The draft is saved when the editor exits')
    expect(await studio.json(['draft', 'get', '1'])).toMatchObject({ title: 'two', description: 'text' })
    expect((await edited(studio, 'true')).said).toContain('Nothing was changed')
    expect((await studio.json(['draft', 'history', '1'])).versions).toHaveLength(2)
  })

  it.each([
    [
      'the text has an unknown field',
      'sed -i "s/^title:/state:/" "$1"',
      2,
      '"state" in the front matter is not a field',
    ],
    ['another program saved the draft first', `sed -i s/one/mine/ "$1"; SAVE`, 5, 'was changed at'],
    ['the editor fails', 'sed -i s/one/mine/ "$1"; exit 3', 2, 'ended with 3'],
  ])('saves the text if %s', async (_what, editor, exit, why) => {
    const studio = await withDraft()
    const save = `${process.execPath} ${join(process.cwd(), 'bin/studio.js')} draft save --id 1 --title theirs >/dev/null`
    const { exitCode, said } = await edited(studio, editor.replace('SAVE', save))
    expect({ exitCode, said }).toMatchObject({ exitCode: exit, said: expect.stringContaining(why) })
    const [, path = ''] = /saved in (\S+\.md)/.exec(said) ?? []
    expect(await readFile(path, 'utf8')).toMatch(/mine|state: one/)
    expect((await studio.json(['draft', 'get', '1'])).title).not.toBe('mine')
  })
})
