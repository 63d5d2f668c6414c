import { describe, expect, it } from 'vitest'
import { editStoredText } from '../../../src/rich-text/edit/edit-text'
import { sanitizeText } from '../../../src/sanitize'

const context = { trackerHosts: [], people: ['Wei Chen'] }
const copyOf = (text: string) => sanitizeText({ format: 'html', text }, context).markdown
const edit = (source: string, change: (copy: string) => string) => {
  const before = copyOf(source)
  return editStoredText({ format: 'html', source, before, after: change(before) })
}

describe('the edit of a block', () => {
  it('that ends in a removed part, before one that begins with one, deletes its own part alone', () => {
    const last = '<p>+1 (425) 555-0105 carrier pallet</p>'
    expect(
      edit(`<p>keep</p><p>login is password: Hunter2!x103</p>${last}`, (copy) => copy.replace(/login.*\n\n/, '')),
    ).toEqual({
      source: `<p>keep</p>${last}`,
      undecided: [],
      losses: ['what “[secret removed]” stood for'],
    })
  })

  it('that ends in a removed part is deleted together with one that begins with one', () => {
    const source = '<p>call <b>+1 (425) 555-0105</b></p>+1 (425) 555-0106<p>+1 (425) 555-0107 then</p>'
    const { source: result, undecided } = edit(source, () => 'New text')
    expect(result.replace(/<[^>]*>/g, '')).toBe('New text')
    expect(undecided).toEqual([])
  })

  it('writes a new link with its title', () => {
    const { source } = edit('<p>one two</p>', () => 'one [docs](https://docs.example.org/1 "The docs") two')
    expect(source).toBe('<p>one <a href="https://docs.example.org/1" title="The docs">docs</a> two</p>')
  })

  it('in lines of one element deletes its own removed part alone', () => {
    const { source } = edit('<div>one +1 (425) 555-0105<br><br>+1 (425) 555-0106 two</div>', (copy) =>
      copy.replace(/^one.*\n\n/, ''),
    )
    expect(source).not.toContain('0105')
    expect(source).toContain('+1 (425) 555-0106 two')
  })

  it('between two texts of the same element leaves them two paragraphs', () => {
    expect(edit('one two<hr>three four', () => 'one two\n\nthree four').source).toBe('one two<br><br>three four')
    expect(edit('<div>one<p>gone</p>two</div>', () => 'one\n\ntwo').source).toBe('<div>one<br><br>two</div>')
  })

  it('behind a table is put behind all of it', () => {
    const merged = '<table><tr><td colspan=2>one two</td></tr><tr><td>three</td><td>four</td></tr></table>'
    const list = '<table><tr><td>one</td><td><ul><li>two</li></ul></td></tr></table>'
    for (const table of [merged, list])
      expect(edit(table, (copy) => `${copy}\n\nA new one`).source).toBe(`${table}<p>A new one</p>`)
  })

  it('that joins two lines keeps the space between their words', () => {
    expect(edit('<p>one two<br>three four</p>', () => 'one new three four').source).toBe('<p>one new three four</p>')
  })
})
