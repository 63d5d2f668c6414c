import { type Finding, findAll, type Passage } from '../finding'
import { isUserName } from './user-names'

/** The source for a word that may be a user name without a domain. */
const NAME = `(?: (?:the )?user)?\\s{0,2}[: ]\\s{0,2}["'“‘(]?(?<it>[A-Za-z][\\w.-]{2,61}\\w)(?![\\w@\\\\/([=:-])`
const AFTER_AS = new RegExp(` as${NAME}`, 'dg')
const AFTER_VERB = new RegExp(`\\b(?:[Ii]mpersonat(?:es?|ed|ing)|[Rr]un[Aa]s)${NAME}`, 'dg')

/** Matches what is before `as`: `log in as jsmith42`, `run it as svc_batch`. */
const BEFORE_AS =
  /\b(?:log[io]n|log(?:s|ged|ging)?|sign(?:s|ed|ing)?|r[ua]n(?:s|ning)?|execut(?:es?|ed|ing)|connect(?:s|ed|ing)?|authenticat(?:es?|ed|ing))(?:[ -]?(?:in|on))?(?: [\w-]{1,20}){0,3}?$/i
const MAX_CHARACTERS_BEFORE = 90

/** Finds user names that prose announces. A name in code is mostly one of a variable. */
export function findAnnouncedUsers({ text, isCode }: Passage): Finding[] {
  const accepts = ({ index, groups }: RegExpExecArray) => isUserName(groups?.['it'] ?? '') && !isCode(index)
  const isAnnounced = ({ index }: RegExpExecArray) =>
    BEFORE_AS.test(text.slice(Math.max(0, index - MAX_CHARACTERS_BEFORE), index))
  return [
    ...findAll(text, AFTER_AS, 'account', { accepts: (match) => accepts(match) && isAnnounced(match) }),
    ...(/mpersonat|un[Aa]s/.test(text) ? findAll(text, AFTER_VERB, 'account', { accepts }) : []),
  ]
}
