import { type Finding, findAll, type Passage } from './finding'
import { isUserName } from './user-names'

/** Matches a word that may be a user name without a domain, and the word that announces it: `as jsmith42`. */
const ANNOUNCED =
  /(?: as|[Ii]mpersonat(?:es?|ed|ing)|[Rr]un[Aa]s)(?: (?:the )?user)?\s{0,2}[: ]\s{0,2}["'“‘(]?(?<it>[A-Za-z][\w.-]{2,61}\w)(?![\w@\\/([=:-])/dg

/** Matches what is before `as`: `log in as`, `run it as`. */
const BEFORE_AS =
  /\b(?:log[io]n|log(?:s|ged|ging)?|sign(?:s|ed|ing)?|r[ua]n(?:s|ning)?|execut(?:es?|ed|ing)|connect(?:s|ed|ing)?|authenticat(?:es?|ed|ing))(?:[ -]?(?:in|on))?(?: [\w-]{1,20}){0,3}?$/i
const MAX_CHARACTERS_BEFORE = 90

/** Finds user names that prose announces. A name in code is mostly one of a variable. */
export function findAnnouncedUsers({ text, isCode }: Passage): Finding[] {
  return findAll(text, ANNOUNCED, 'account', {
    accepts: ({ index, 0: found, groups }) =>
      !isCode(index) &&
      isUserName(groups?.['it'] ?? '') &&
      (!found.startsWith(' as') || BEFORE_AS.test(text.slice(Math.max(0, index - MAX_CHARACTERS_BEFORE), index))),
  })
}
