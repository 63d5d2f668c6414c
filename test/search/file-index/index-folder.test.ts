import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { runAtOnce } from '../../../src/kernel'
import { realIndexDisk } from '../../../src/search/file-index/frame-file'
import { IndexFolder, NO_ENTITIES } from '../../../src/search/file-index/index-folder'
import { createTokenStemmer } from '../../../src/search/rules/stem'
import { temporaryFolder } from '../../temporary-folder'
import { AT } from '../desk'

describe('the folder of an index', () => {
  it('loses the new segments of a manifest for which there is no space', () => {
    const disk = {
      ...realIndexDisk,
      create(path: string) {
        if (path.endsWith('.new')) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
        return realIndexDisk.create(path)
      },
    }
    const folder = new IndexFolder(temporaryFolder(), disk)
    const { name, builder } = folder.newSegment(createTokenStemmer())
    const { facts } = runAtOnce(builder.finish())
    const segments = [{ name, facts, deleted: '' }]
    expect(readdirSync(folder.path)).toEqual([name])
    const replace = () =>
      folder.replaceOrDiscard(folder.read(), { position: null, indexedAt: AT, entities: NO_ENTITIES, segments })
    expect(replace).toThrow('no space')
    expect(readdirSync(folder.path)).toEqual([])
  })
})
