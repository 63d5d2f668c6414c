import { describe, expect, it } from 'vitest'
import { joinQueryArguments } from '../../../src/search/rules/qualifiers'

describe('a query whose quotes a shell has removed', () => {
  it.each([
    [['dock', 'door'], 'dock door'],
    [['dock door'], 'dock door'],
    [['door', '"night shift"', '-draft'], 'door "night shift" -draft'],
    [['tag:two words', 'door'], 'tag:"two words" door'],
    [['-tag:two words', 'door'], '-tag:"two words" door'],
    [['door', '-night shift'], 'door -"night shift"'],
    [['door', 'type:bug state:Active'], 'door type:bug state:Active'],
    [['-"night shift"'], '-"night shift"'],
    [['tag:"two words"'], 'tag:"two words"'],
    [['colour:two words', 'x'], 'colour:two words x'],
  ])('%j becomes %s', (args, query) => {
    expect(joinQueryArguments(args)).toBe(query)
  })

  it.each(['type:bug state:Active', 'state:Active door', '-draft plan', 'tag:"two words" -"old door"'])(
    'is unchanged if it is one argument: %s',
    (query) => {
      expect(joinQueryArguments([query])).toBe(query)
    },
  )
})
