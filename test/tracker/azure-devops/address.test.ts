import { describe, expect, it } from 'vitest'
import { itemPage, parseAddress, projectPath } from '../../../src/tracker/azure-devops/address'
import { failureOf } from './fixtures'

describe('the address of the settings', () => {
  it.each([
    ['https://tracker.example/works', 'https://tracker.example/works', 'tracker.example/works'],
    ['https://tracker.example/works/', 'https://tracker.example/works', 'tracker.example/works'],
    ['http://10.0.0.5:8080/tfs/Main', 'http://10.0.0.5:8080/tfs/Main', '10.0.0.5:8080/tfs/Main'],
    ['https://works.tracker.example', 'https://works.tracker.example', 'works.tracker.example'],
    ['https://ana:secret@tracker.example/works?x=1#y', 'https://tracker.example/works', 'tracker.example/works'],
  ])('%s', (url, base, label) => {
    expect(parseAddress(url)).toEqual({ base, label })
  })

  it.each(['tracker.example/works', 'ftp://tracker.example', ''])('refuses %j and names the setting', async (url) => {
    const error = await failureOf(Promise.resolve().then(() => parseAddress(url)))
    expect(error).toMatchObject({ code: 'invalid' })
    expect(error.hint).toContain('STUDIO_TRACKER_URL')
  })
})

describe('paths', () => {
  it('encode the project', () => {
    expect(projectPath('Parts & Shop/2', '_apis/wit/wiql')).toBe('/Parts%20%26%20Shop%2F2/_apis/wit/wiql')
    expect(projectPath(null, '_apis/projects')).toBe('/_apis/projects')
  })

  it('lead to the page of an item, with or without the project', () => {
    expect(itemPage('https://tracker.example/works', 'Parts Shop', 12)).toBe(
      'https://tracker.example/works/Parts%20Shop/_workitems/edit/12',
    )
    expect(itemPage('https://tracker.example/works', null, 12)).toBe('https://tracker.example/works/_workitems/edit/12')
  })
})
