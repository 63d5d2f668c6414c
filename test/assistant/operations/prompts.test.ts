import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openOffice } from '../office'

const own = '---\nname: Split it\ntarget: story\ndescription: Three ways\n---\nSplit {{story}} for {{team}}\n'

describe('prompt templates', () => {
  it('are the built-in ones and the user’s own', async () => {
    const office = await openOffice()
    expect((await office.run('prompts.list', {})).map(({ id }: any) => id)).toEqual([
      'story',
      'acceptance-criteria',
      'test-cases',
      'diagram',
      'summary',
    ])
    await office.ownTemplate('split.md', own)
    await office.ownTemplate('notes.txt', 'no template')
    await office.ownTemplate('.hidden.md', 'no template')
    const list = await office.run('prompts.list', {})
    expect(list).toHaveLength(6)
    expect(list[5]).toEqual({
      id: 'split',
      name: 'Split it',
      description: 'Three ways',
      target: 'story',
      template: 'Split {{story}} for {{team}}',
      variables: ['story', 'team'],
      own: true,
    })
  })

  it('replace built-in ones with the same name', async () => {
    const office = await openOffice()
    await office.ownTemplate('story.md', own)
    expect(await office.run('prompts.get', { id: 'story' })).toMatchObject({ name: 'Split it', own: true })
    expect(await office.run('prompts.list', {})).toHaveLength(5)
  })

  it('are reported by file if they are not valid, and do not affect others', async () => {
    const office = await openOffice()
    await office.ownTemplate('broken.md', 'no head')
    await office.ownTemplate('split.md', own)
    const refusal = { code: 'invalid', message: expect.stringContaining(join(office.home, 'prompts', 'broken.md')) }
    await expect(office.run('prompts.list', {})).rejects.toMatchObject(refusal)
    await expect(office.run('prompts.get', { id: 'broken' })).rejects.toMatchObject(refusal)
    expect(await office.run('prompts.get', { id: 'split' })).toMatchObject({ id: 'split' })
    expect(await office.run('prompts.get', { id: 'story' })).toMatchObject({ id: 'story' })
  })

  it.each([
    ['too large', 'x'.repeat(70_000), /64 KiB/],
    ['not text', new Uint8Array([0x2d, 0xff, 0xfe, 0x00]), /UTF-8/],
    ['text with a null character', '---\ntarget: story\n---\na\u0000b', /not text/],
  ])('are rejected if %s', async (_, text, message) => {
    const office = await openOffice()
    await office.ownTemplate('odd.md', text)
    await expect(office.run('prompts.get', { id: 'odd' })).rejects.toThrow(message)
  })

  // Windows has no devices among its files.
  it.skipIf(process.platform === 'win32')('are never read from a device, or through a link to nothing', async () => {
    const office = await openOffice()
    await office.ownTemplate('split.md', own)
    await symlink('/dev/zero', join(office.home, 'prompts', 'endless.md'))
    await symlink('/nowhere/at/all', join(office.home, 'prompts', 'dangling.md'))
    await expect(office.run('prompts.get', { id: 'endless' })).rejects.toThrow(/not a file/)
    await expect(office.run('prompts.get', { id: 'dangling' })).rejects.toThrow(/cannot be read/)
  })

  it.each(['../config', '..', 'a/b', ''])('are never searched in another folder: %j', async (id) => {
    const office = await openOffice()
    await office.ownTemplate('split.md', own)
    await expect(office.run('prompts.get', { id })).rejects.toMatchObject({ code: id === '' ? 'invalid' : 'not_found' })
  })
})
