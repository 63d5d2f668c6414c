import { describe, expect, it } from 'vitest'
import { buildItemPageUrl, buildProjectPath, createTrackerIdentity } from '../../../src/tracker/azure-devops/urls'
import { parseTrackerAddress } from '../../../src/tracker/services/tracker-address'
import { errorOf } from './fixtures'

describe('the address of the settings', () => {
  it.each([
    ['https://tracker.example/works', 'https://tracker.example/works', 'tracker.example/works'],
    ['https://tracker.example/works/', 'https://tracker.example/works', 'tracker.example/works'],
    ['http://10.0.0.5:8080/tfs/Main', 'http://10.0.0.5:8080/tfs/Main', '10.0.0.5:8080/tfs/Main'],
    ['https://works.tracker.example', 'https://works.tracker.example', 'works.tracker.example'],
    ['https://ana:secret@tracker.example/works?x=1#y', 'https://tracker.example/works', 'tracker.example/works'],
  ])('%s', (url, base, label) => {
    expect(parseTrackerAddress(url)).toEqual({ base, label })
  })

  it.each(['tracker.example/works', 'ftp://tracker.example', ''])(
    'rejects %j with the name of the setting',
    async (url) => {
      const error = await errorOf(Promise.resolve().then(() => parseTrackerAddress(url)))
      expect(error).toMatchObject({ code: 'invalid' })
      expect(error.hint).toContain('STUDIO_TRACKER_URL')
    },
  )
})

describe('paths', () => {
  it('encode the project', () => {
    expect(buildProjectPath('Parts & Shop/2', '_apis/wit/wiql')).toBe('/Parts%20%26%20Shop%2F2/_apis/wit/wiql')
    expect(buildProjectPath(null, '_apis/projects')).toBe('/_apis/projects')
  })

  it('are built for the page of an item, with or without the project', () => {
    expect(buildItemPageUrl('https://tracker.example/works', 'Parts Shop', 12)).toBe(
      'https://tracker.example/works/Parts%20Shop/_workitems/edit/12',
    )
    expect(buildItemPageUrl('https://tracker.example/works', null, 12)).toBe(
      'https://tracker.example/works/_workitems/edit/12',
    )
  })
})

describe('the identity of a tracker', () => {
  const identity = (url: string, project = 'Parts Shop') => createTrackerIdentity(parseTrackerAddress(url), project)

  it.each([
    ['https://tracker.example/works', 'tracker.example/works/parts shop'],
    ['https://Tracker.Example/Works/', 'tracker.example/works/parts shop'],
    ['https://works.visualstudio.com', 'dev.azure.com/works/parts shop'],
    ['https://dev.azure.com/works', 'dev.azure.com/works/parts shop'],
    ['http://127.0.0.1:4318/quayside', 'localhost/quayside/parts shop'],
    ['http://localhost:50001/quayside', 'localhost/quayside/parts shop'],
    ['http://[::1]:50001/quayside', 'localhost/quayside/parts shop'],
  ])('%s is %s', (url, expected) => {
    expect(identity(url)).toBe(expected)
  })

  it('distinguishes servers, organizations and projects', () => {
    const all = [
      identity('https://tracker.example/works'),
      identity('https://tracker.example:8443/works'),
      identity('https://tracker.example/other'),
      identity('https://tracker.example/works', 'Office'),
    ]
    expect(new Set(all).size).toBe(all.length)
  })
})
