import { describe, expect, it } from 'vitest'
import { parseRepositoryAddress } from '../../../src/tracker/github/address'

describe('the address of a repository', () => {
  it.each([
    ['https://github.com/acme/harbor', 'https://api.github.com'],
    ['http://github.com/acme/harbor.git', 'https://api.github.com'],
    ['http://acme.ghe.com/acme/harbor', 'https://api.acme.ghe.com'],
    ['http://github.acme.example:8080/acme/harbor', 'http://github.acme.example:8080'],
  ])('%s has its API at %s, without encryption only on a server of your own', (url, base) =>
    expect(parseRepositoryAddress(url, null)).toMatchObject({ owner: 'acme', name: 'harbor', api: { base } }),
  )

  it.each([
    ['https://github.com/acme', null],
    ['https://github.com/acme/harbor/issues', null],
    ['https://github.com/%zz', '50%'],
  ])('%s with the project %s is either one repository or is refused', (url, project) => {
    const parse = () => parseRepositoryAddress(url, project)
    if (project === null) expect(parse).toThrow('is not that of a GitHub repository')
    else expect(parse()).toMatchObject({ owner: '%zz', name: '50%' })
  })
})
