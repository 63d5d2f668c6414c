import { describe, expect, it } from 'vitest'
import { typedQuery } from '../../../src/search/rules/typed-query'

describe('a query that a shell has taken the quotes from', () => {
  it.each([
    [['dock', 'door'], 'dock door'],
    [['dock door'], 'dock door'],
    [['door', '"night shift"', '-draft'], 'door "night shift" -draft'],
    [['tag:two words', 'door'], 'tag:"two words" door'],
    [['-tag:two words'], '-tag:"two words"'],
    [['-night shift'], '-"night shift"'],
    [['-"night shift"'], '-"night shift"'],
    [['tag:"two words"'], 'tag:"two words"'],
    [['colour:two words'], 'colour:two words'],
  ])('%j is %s', (args, query) => {
    expect(typedQuery(args)).toBe(query)
  })
})
