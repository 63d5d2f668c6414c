import { describe, expect, it } from 'vitest'
import { parseKey, parseProjectAddress } from '../../../src/tracker/gitlab/address'
import { gitlab } from '../../../src/tracker/gitlab/description'

describe('the address of a project', () => {
  it.each([
    ['https://gitlab.com/group/sub/project', null, 'group/sub/project', 'https://gitlab.com'],
    ['https://gitlab.com/group/project.git', null, 'group/project', 'https://gitlab.com'],
    ['https://gitlab.com/group/project/-/issues/12', null, 'group/project', 'https://gitlab.com'],
    ['https://gitlab.com/group/', 'project', 'group/project', 'https://gitlab.com'],
    ['https://works.example:8443/git', 'group/project', 'group/project', 'https://works.example:8443/git'],
  ])('%s with the project %s', (url, project, path, base) => {
    expect(parseProjectAddress(url, project)).toMatchObject({ path, api: { base } })
  })

  it.each(['https://gitlab.com', 'https://gitlab.com/group', 'no address'])('is not %s', (url) => {
    expect(() => parseProjectAddress(url, null)).toThrow(/address of the tracker/)
  })

  it('says that it is one of GitLab, and which command prints its token', () => {
    expect(gitlab.hasHost('gitlab.com') && gitlab.hasHost('gitlab.works.example')).toBe(true)
    expect(gitlab.hasHost('notgitlab.com')).toBe(false)
    expect(gitlab.tokenCommand('https://gitlab.com/a/b')).toBe('glab config get token --host gitlab.com')
    expect(gitlab.tokenCommand('https://a;rm -rf/')).toBeNull()
  })
})

describe('the key of a work item', () => {
  const address = { path: 'group/sub/project' }
  it.each([
    ['group/sub/project#12', { namespace: 'group/sub/project', iid: '12' }],
    ['#12', { namespace: 'group/sub/project', iid: '12' }],
    ['Group&5', { namespace: 'Group', iid: '5' }],
    ['group/other#3', { namespace: 'group/other', iid: '3' }],
    ['elsewhere/project#12', null],
    ['&5', null],
    ['12', null],
    ['group/sub/project#0', null],
    ['group/sub/project#12345678901', null],
  ])('%s', (key, parsed) => {
    expect(parseKey(key, address)).toEqual(parsed)
  })
})
