import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stem } from '../../../src/search/rules/stem'

/** From the vocabulary that is published with the algorithm, and the examples of its description. */
const VECTORS = `
  consign consign | consigned consign | consigning consign | consignment consign | consist consist | consistency consist
  consolation consol | consolidate consolid | consolingly consol | conspicuously conspicu | constable constabl
  knack knack | knaves knave | kneaded knead | kneeling kneel | knightly knight | knitting knit | knocker knocker
  caresses caress | ponies poni | ties tie | cries cri | gas gas | this this | gaps gap | kiwis kiwi | abyss abyss
  agreed agre | feed feed | proceed proceed | luxuriating luxuri | hopping hop | hoping hope | adding add | egged egg
  happy happi | by by | say say | enjoy enjoy | relational relat | conditional condit | valenci valenc | rationally ration
  digitizer digit | conformabli conform | radicalli radic | differentli differ | vileli vile | vietnamization vietnam
  predication predic | operator oper | feudalism feudal | decisiveness decis | hopefulness hope | callousness callous
  formaliti formal | sensitiviti sensit | sensibiliti sensibl | analogi analog | archaeologist archaeolog
  triplicate triplic | formative format | formalize formal | electrical electr | hopeful hope | goodness good
  revival reviv | allowance allow | inference infer | airliner airlin | adjustable adjust | irritant irrit
  replacement replac | adoption adopt | communism communism | activate activ | effective effect | bowdlerize bowdler
  probate probat | rate rate | cease ceas | controll control | roll roll | general general | generic generic
  communication communic | universal universal | university universiti | skis ski | skies sky | dying die | idly idl
  news news | atlas atlas | inning inning | evening evening | succeed succeed | past past | pasting paste
  international internat | organization organiz | yellow yellow | sayings say | youth youth | boy boy
`
  .split(/[|\n]/)
  .map((pair) => pair.trim().split(' '))
  .filter((pair): pair is [string, string] => pair.length === 2)

describe('stem', () => {
  it.each(VECTORS)('reduces %s to %s', (word, expected) => {
    expect(stem(word)).toBe(expected)
  })

  it('does not change words of other languages', () => {
    for (const word of ['ab', 'v2', '204', 'größen', 'двери', '日本']) expect(stem(word)).toBe(word)
  })

  it('returns lower-case letters, at least one and at most one more than the word has', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,20}$/), (word) => {
        const stemmed = stem(word)
        expect(stemmed).toMatch(/^[a-z]+$/)
        expect(stemmed.length).toBeLessThanOrEqual(word.length + 1)
      }),
    )
  })
})
