import { expect, it } from 'vitest'
import { getItemAttachment } from '../../src/items/operations/attachments/get-attachment'
import { importSingle } from '../../src/items/operations/import/import-single'
import { deriveActions } from '../../src/mcp/actions'
import { readResource, resourceTemplatesOf } from '../../src/mcp/resources'
import { files as beginnings } from '../docks/attachments/attachment-files'
import { openAttachmentSite, remoteFile } from '../items/attachments/attachment-site'

async function openSite() {
  const site = await openAttachmentSite()
  const actions = deriveActions([getItemAttachment])
  const host = {
    actorFor: () => ({ kind: 'terminal' }),
    open: async () => ({ context: site.context(), done() {} }),
  }
  const context = { mcpReq: { signal: new AbortController().signal } }
  const calling = { actions, host, context } as any
  return { ...site, actions, read: (uri: string) => readResource(uri, calling) }
}

it('an attachment is a resource: a text as text, anything else as bytes', async () => {
  const { files, read, actions, run } = await openSite()
  files.set(204, [
    remoteFile('a b.png', beginnings.png, { id: 'p' }),
    remoteFile('log.txt', 'Zürich'),
    remoteFile('x.bin', Buffer.from([0, 255])),
  ])
  await run(importSingle, { ids: [204] })
  expect(resourceTemplatesOf(actions).map(({ uriTemplate }) => uriTemplate)).toEqual([
    'studio://item/{id}/attachment/{name}',
  ])
  expect((await read('studio://item/204/attachment/a%20b.png')).contents).toEqual([
    { uri: 'studio://item/204/attachment/a%20b.png', mimeType: 'image/png', blob: beginnings.png.toString('base64') },
  ])
  expect((await read('studio://item/204/attachment/log.txt')).contents).toMatchObject([
    { mimeType: 'text/plain', text: 'Zürich' },
  ])
  expect((await read('studio://item/204/attachment/x.bin')).contents).toMatchObject([{ blob: 'AP8=' }])
  files.set(204, [remoteFile('large.bin', Buffer.alloc(2_000_001))])
  await expect(read('studio://item/204/attachment/large.bin')).rejects.toThrow('The attachment has more than 2 MB.')
  await expect(read('studio://item/204/attachment/%E0%A4%A')).rejects.toThrow()
})
