import { describe, expect, it } from 'vitest'
import { wikiToMarkdown } from '../../../src/rich-text'
import { editWiki } from '../../../src/rich-text/edit/edit-atlassian'
import { parseWiki } from '../../../src/rich-text/parse-wiki'

describe('an edit of a list in wiki markup', () => {
  it.each([
    ['- a\n  - b\n- new\n- c', '* a\n** b\n* new\n* c'],
    ['- a\n  - b\n  - new\n- c', '* a\n** b\n** new\n* c'],
    ['- a\n- c', '* a\n* c'],
  ])('adds and deletes items at their level: %j', (after, wanted) => {
    expect(editWiki('* a\n** b\n* c', after, (wiki) => wikiToMarkdown(wiki, parseWiki)).stored).toBe(wanted)
  })
})
