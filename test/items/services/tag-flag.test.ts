import { describe, expect, it } from 'vitest'
import { parseTagFlag } from '../../../src/items/services/create/given-fields-input'

const read = (...tag: string[]) => parseTagFlag({ tag })['tags']

describe('the flag for tags', () => {
  it.each<[string, string[]]>([
    ['+ready,-blocked', ['+ready', '-blocked']],
    [' +ready , -blocked ,', ['+ready', '-blocked']],
    ['-"a, b"', ['-a, b']],
    ['+"a, b",-c,+"d,e"', ['+a, b', '-c', '+d,e']],
    ['+ "a, b" , -c', ['+a, b', '-c']],
    ['+19" rack,-x', ['+19" rack', '-x']],
    ['+"no end, b', ['+"no end', 'b']],
    ['+"a" and more,-c', ['+"a" and more', '-c']],
  ])('%s', (typed, expected) => {
    expect(read(typed)).toEqual(expected)
  })

  it('can be repeated', () => {
    expect(read('+a', '-"b, c"')).toEqual(['+a', '-b, c'])
  })

  it('takes linear time', () => {
    expect(read('+"a",'.repeat(100_000))).toHaveLength(100_000)
  })
})
